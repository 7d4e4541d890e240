import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, TAP } from '../../harness.ts';
import { McpProcess } from './mcp-process.ts';

let daemon: FakeDaemon;
const servers: McpProcess[] = [];
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await daemon.stop();
});

async function serving(words: readonly string[] = []): Promise<McpProcess> {
  const server = await McpProcess.open(['--data-dir', daemon.directory, ...words]);
  servers.push(server);
  return server;
}

/** The daemon gives no answer to `status`: when it is asked, and when the asker gives up. */
function silentStatus(): { readonly asked: Promise<void>; readonly dropped: Promise<void> } {
  const [asked, dropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  daemon.reply('GET /admin/status', (request) => {
    request.socket.on('close', () => dropped.resolve());
    asked.resolve();
  });
  return { asked: asked.promise, dropped: dropped.promise };
}

describe('the connection', () => {
  test('ends with stdin, and what runs with it', async () => {
    const { asked, dropped } = silentStatus();
    const server = await serving();
    server.begin('tools/call', { name: 'status', arguments: {} });
    await asked;
    expect(await server.close()).toBe(0);
    await dropped;
  });

  test('ends once what was asked before the end of stdin is answered', async () => {
    daemon.on('GET /v1/taps', 200, { data: [TAP] });
    const server = await serving();
    const calls = [server.found('list_taps'), server.found('validate_query', { query: 'ferry' })];
    expect(await server.close()).toBe(0);
    expect(await Promise.all(calls)).toMatchObject([{ total: 1 }, { valid: true }]);
  });

  test('ends at once where what was asked has been cancelled', async () => {
    const { asked } = silentStatus();
    const server = await serving();
    const { id } = server.begin('tools/call', { name: 'status', arguments: {} });
    await asked;
    server.tell('notifications/cancelled', { requestId: id });
    expect(await server.close()).toBe(0);
  });

  test('goes on after a call that was cancelled, whose request is dropped', async () => {
    const { asked, dropped } = silentStatus();
    const server = await serving();
    const { id } = server.begin('tools/call', { name: 'status', arguments: {} });
    await asked;
    server.tell('notifications/cancelled', { requestId: id, reason: 'enough' });
    await dropped;
    expect(await server.found('validate_query', { query: 'ferry' })).toMatchObject({ valid: true });
    expect(server.lines.some((line) => line.includes(`"id":${id},`))).toBe(false);
  });

  test('answers more calls than it runs at once, each once', async () => {
    const server = await serving();
    const calls = Array.from({ length: 30 }, (_, n) => server.found('validate_query', { query: `title:a${n}` }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ compiled }) => compiled)).toMatchObject(
      Array.from({ length: 30 }, (_, n) => ({ lucene: `title:a${n}` })),
    );
  });

  test('has an end of what waits: a call too many is told to come again', async () => {
    const { asked } = silentStatus();
    const server = await serving();
    const waiting = Array.from({ length: 104 }, () => server.begin('tools/call', { name: 'status', arguments: {} }));
    await asked;
    expect(await server.failure('list_taps')).toContain('100 calls wait already');
    for (const { id } of waiting) server.tell('notifications/cancelled', { requestId: id });
    expect(await server.found('validate_query', { query: 'ferry' })).toMatchObject({ valid: true });
  });

  test('is not stopped by anything that comes in', async () => {
    const server = await serving(['--write']);
    const names = ['validate_query', 'match_page', 'list_taps', 'add_rule', '__proto__', 'constructor', ''];
    const params = fc.record(
      {
        name: fc.constantFrom(...names),
        arguments: fc.oneof(fc.object(), fc.dictionary(fc.constantFrom('query', 'page', 'url', 'tap'), fc.anything())),
        uri: fc.oneof(fc.constantFrom('hydrant://rules/%', 'hydrant://rules/', 'file:///etc/passwd'), fc.string()),
      },
      { requiredKeys: [] },
    );
    const method = fc.constantFrom(
      'tools/call',
      'tools/list',
      'resources/read',
      'completion/complete',
      'initialize',
      'x',
    );
    const message = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.nat().map((id) => id + 1e6), method, params });
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.object()), async (sent) => {
        server.write(sent);
        expect((await server.ask('ping')).result).toEqual({});
      }),
    );
    expect(daemon.received.filter((one) => one.method !== 'GET')).toEqual([]);
    expect(server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === '2.0')).toBe(true);
  });

  test('carries nothing but messages on stdout, whatever comes in', async () => {
    const server = await serving();
    server.stdin.write('this is no message\n\n{"jsonrpc":"2.0"}\n');
    await server.call('status');
    expect((await server.ask('nothing/at/all')).error?.code).toBe(-32_601);
    expect(server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === '2.0')).toBe(true);
  });

  test('is closed by a message that is longer than any may be, which is said', async () => {
    const server = await serving();
    const ended = server.ended;
    server.stdin.write(Buffer.alloc(16 * 1_024 * 1_024, 'a'));
    expect(await ended).toBe(6);
    expect(server.stderr).toContain('a message has more than');
  });

  test('is none on a terminal, and its stdin gives no key', async () => {
    const terminal = new McpProcess([], { isTTY: true });
    expect(await terminal.ended).toBe(2);
    expect(terminal.stderr).toContain('is started by a client');
    const server = new McpProcess(['--url', 'http://127.0.0.1:1', '--key-file', '-']);
    expect(await server.ended).toBe(2);
    expect(server.stderr).toContain('stdin gives the messages of the client and cannot give the key too');
  });

  test.each([
    [['--url', 'nonsense'], 'is not the address of a daemon'],
    [['--jq', '.'], '--jq and --template cannot filter'],
  ])('is refused at once where it can never work: %j', async (words, said) => {
    const server = new McpProcess(words);
    expect(await server.ended).toBe(2);
    expect(server.stderr).toContain(said);
    expect(server.lines).toEqual([]);
  });
});
