import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isFailure, type Transport } from '../../../src/daemon/notify/sink-kind.ts';
import { type TransportOptions, Transports } from '../../../src/daemon/notify/transport.ts';
import { SINK_ANSWER_BYTES } from '../../../src/shared/limits.ts';
import { never, Site } from '../fetch/site.ts';

const AT = Date.parse('2026-11-23T10:00:00Z');

function transport(options: Partial<TransportOptions> = {}, signal = never()): Transport {
  return new Transports({
    outside: { now: () => AT },
    userAgent: 'hydrant/test',
    environment: {
      PATH: process.env['PATH'],
      HOME: '/home/op',
      LANG: 'C.UTF-8',
      SECRET: 'of the daemon',
      NODE_OPTIONS: '-x',
    },
    ...options,
  }).open(signal);
}

const post = (url: string, body = '{}') =>
  ({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body }) as const;
const answering =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('a request', () => {
  test('has its headers and body, goes to loopback, and brings the answer', async () => {
    const site = await Site.http((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { method, url, headers } = request;
          response
            .writeHead(201, { 'retry-after': '7' })
            .end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
        });
    });
    const reply = await transport().http(post(site.url('/a?b=c'), '{"ä":1}'));
    expect(reply).toMatchObject({ status: 201, retryAfterMs: 7_000 });
    expect(JSON.parse('body' in reply ? reply.body : '')).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      headers: {
        'user-agent': 'hydrant/test',
        'content-type': 'application/json',
        'content-length': '8',
        host: `127.0.0.1:${site.port}`,
      },
      body: '{"ä":1}',
    });
  });

  test.each([301, 302, 303, 307, 308])('that is redirected with %d is not sent there', async (status) => {
    const other = await Site.http((_, response) => response.end('secret'));
    const site = await Site.http((_, response) => response.writeHead(status, { location: other.url() }).end());
    expect(await transport().http(post(site.url()))).toMatchObject({ status, body: '' });
    expect(other.accepted).toBe(0);
  });

  test.each([
    ['as it is', undefined, (text: string) => Buffer.from(text)],
    ['gzip', 'gzip', (text: string) => gzipSync(text)],
    ['brotli', 'br', (text: string) => brotliCompressSync(text)],
    ['gzip in gzip', 'gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
  ])('reads the beginning of a long answer: %s', async (_, coding, packed) => {
    const site = await Site.http((_, response) => {
      response
        .writeHead(200, coding === undefined ? {} : { 'content-encoding': coding })
        .end(packed('x'.repeat(50_000_000)));
    });
    const reply = await transport().http(post(site.url()));
    expect(reply).toMatchObject({ status: 200 });
    expect('body' in reply && reply.body).toBe('x'.repeat(SINK_ANSWER_BYTES));
  });

  test.each([
    ['is not what its encoding says', { 'content-encoding': 'gzip' }],
    ['is encoded in an unknown way', { 'content-encoding': 'x-rot13' }],
  ])('whose answer %s has its status all the same', async (_, headers) => {
    const site = await Site.http((_, response) => response.writeHead(202, headers).end('plain'));
    expect(await transport().http(post(site.url()))).toEqual({ status: 202, body: '' });
  });

  test.each([
    ['hangs before its head', () => undefined],
    ['hangs within its head', (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\nx: ')],
  ])('to a server that %s ends with its time', async (_, answer) => {
    const site = await Site.raw((socket) => answer((text) => void socket.write(text)));
    const reply = await transport({ attemptMs: 100 }).http(post(site.url()));
    expect(reply).toEqual({ failure: `${site.host}:${site.port} gave no whole answer within 0.1 s` });
    await site.vacated();
  });

  test('whose answer never ends has its status when its time is over', async () => {
    const site = await Site.raw((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhal'));
    expect(await transport({ attemptMs: 100 }).http(post(site.url()))).toMatchObject({ status: 200 });
    await site.vacated();
  });

  test.each([
    ['closes at once', '', ' closed the connection before its answer was complete'],
    ['speaks another language', '220 mail.example ESMTP\r\n', 'is not HTTP/1.1'],
    ['never ends its headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`, 'larger than 32 KiB'],
    ['breaks off within its headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'closed the connection'],
  ])('to a server that %s says so', async (_, said, what) => {
    const site = await Site.raw((socket) => void socket.end(said));
    const reply = await transport().http(post(site.url()));
    expect(reply).toEqual({ failure: expect.stringContaining(what) as unknown });
  });

  test('whose answer breaks off has its status, and nothing of the rest', async () => {
    const site = await Site.raw((socket) => void socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\nhalf'));
    expect(await transport().http(post(site.url()))).toEqual({ status: 503, body: '' });
  });

  test('to nobody says so, without the address', async () => {
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    expect(await transport().http(post(`http://127.0.0.1:${port}/hidden`))).toEqual({
      failure: `127.0.0.1:${port} refused the connection`,
    });
  });

  test('with a certificate that nobody signed is refused', async () => {
    const site = await Site.https((_, response) => response.end('ok'));
    expect(await transport({ resolve: answering('127.0.0.1') }).http(post(`https://site.test:${site.port}/`))).toEqual({
      failure: 'the certificate of site.test is self-signed',
    });
  });

  test('rejects with the reason of who calls it off, before and while it runs', async () => {
    const site = await Site.raw(() => undefined);
    const end = new AbortController();
    const sent = transport({}, end.signal).http(post(site.url()));
    await site.connected(1);
    end.abort(new Error('the daemon stops'));
    await expect(sent).rejects.toThrow('the daemon stops');
    await expect(transport({}, end.signal).http(post(site.url()))).rejects.toThrow('the daemon stops');
    await site.vacated();
  });
});

/** Every way to write the address of a metadata service. */
const METADATA = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::169.254.169.254]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.170.2',
];

describe('metadata services', () => {
  test.each(METADATA)('are not reached as http://%s/', async (host) => {
    const reply = await transport().http(post(`http://${host}/latest/meta-data/`));
    expect(reply).toMatchObject({ failure: expect.stringContaining('cloud metadata') as unknown, isFinal: true });
  });

  test.each(['169.254.169.254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254'])(
    'are not reached by a name that leads to %s, by HTTP or for mail',
    async (address) => {
      const named = transport({ resolve: answering('127.0.0.1', address) });
      const refused = { failure: expect.stringContaining('cloud metadata') as unknown, isFinal: true };
      expect(await named.http(post('http://innocent.example/'))).toMatchObject(refused);
      expect(await named.connect('innocent.example', 25)).toMatchObject(refused);
      expect(await transport().connect(address, 25)).toMatchObject(refused);
    },
  );

  test('are not reached by a name that meant something else a moment ago', async () => {
    const site = await Site.http((_, response) => response.end('ok'));
    const answers = ['127.0.0.1', '169.254.169.254'];
    const rebinding = transport({ resolve: () => answering(answers.shift() ?? '')() });
    expect(await rebinding.http(post(`http://a.test:${site.port}/`))).toMatchObject({ status: 200 });
    expect(await rebinding.http(post(`http://a.test:${site.port}/`))).toMatchObject({ isFinal: true });
  });

  test.each([
    ['of another protocol', 'ftp://a.test/'],
    ['with a password', 'http://user:word@127.0.0.1/'],
    ['that is none', 'no address'],
    ['without an end', `http://127.0.0.1/${'x'.repeat(3_000)}`],
    ['that is empty', ''],
  ])('an address %s is not asked', async (_, url) => {
    const refused = { failure: expect.stringContaining('the address') as unknown, isFinal: true };
    expect(await transport().http(post(url))).toMatchObject(refused);
  });
});

describe('a connection', () => {
  test('is made to loopback and belongs to who asked', async () => {
    const site = await Site.listening((socket) => void socket.end('220 hello\r\n'));
    const socket = await transport().connect('127.0.0.1', site.port);
    if (isFailure(socket)) throw new Error(socket.failure);
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    expect(greeting.toString()).toBe('220 hello\r\n');
    socket.destroy();
    await site.vacated();
  });

  test('ends with its time, whoever holds it', async () => {
    const site = await Site.listening(() => undefined);
    const socket = await transport({ attemptMs: 100 }).connect('127.0.0.1', site.port);
    if (isFailure(socket)) throw new Error(socket.failure);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe('127.0.0.1 was not done within 0.1 s');
    await site.vacated();
  });

  test('ends with who calls it off', async () => {
    const site = await Site.listening(() => undefined);
    const end = new AbortController();
    const open = transport({}, end.signal);
    const socket = await open.connect('127.0.0.1', site.port);
    if (isFailure(socket)) throw new Error(socket.failure);
    end.abort(new Error('the daemon stops'));
    await expect(once(socket, 'close')).rejects.toThrow('the daemon stops');
    await expect(open.connect('127.0.0.1', site.port)).rejects.toThrow('the daemon stops');
  });
});

const node = (script: string): [string, ...string[]] => [process.execPath, '-e', script];

describe('a command', () => {
  test('is given its input, the fields, and nothing of the daemon’s environment but where programs are', async () => {
    const script = `let input = '';
      process.stdin.on('data', (chunk) => (input += chunk)).on('end', () => console.log(JSON.stringify({ input, env: process.env, cwd: process.cwd() })));`;
    const ended = await transport().run({
      argv: node(script),
      env: { HYDRANT_TITLE: 'a\0b\u{e0041}', PATH: '/evil' },
      input: 'in',
    });
    if (isFailure(ended)) throw new Error(ended.failure);
    expect(ended).toMatchObject({ code: 0, signal: null });
    const { input, env, cwd } = JSON.parse(ended.output) as { input: string; env: Record<string, string>; cwd: string };
    expect({ input, cwd }).toEqual({ input: 'in', cwd: '/' });
    expect(Object.keys(env).sort()).toEqual(['HOME', 'HYDRANT_TITLE', 'LANG', 'PATH']);
    expect(env).toMatchObject({
      HOME: '/home/op',
      LANG: 'C.UTF-8',
      PATH: process.env['PATH'],
      HYDRANT_TITLE: 'ab\ufffd',
    });
  });

  test('that writes without end, and reads nothing, is bounded', async () => {
    const argv = node(`process.stderr.write('e'.repeat(3e6), () => process.exit(3))`);
    const ended = await transport().run({ argv, env: {}, input: 'x'.repeat(3_000_000) });
    expect(ended).toEqual({ code: 3, signal: null, output: 'e'.repeat(SINK_ANSWER_BYTES) });
  });

  test('that does not end is ended, with what it started', async () => {
    const site = await Site.listening(() => undefined);
    const child = `require('net').connect(${site.port}, '127.0.0.1'); setInterval(() => {}, 1000);`;
    const argv = node(
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); setInterval(() => {}, 1000);`,
    );
    const running = transport({ attemptMs: 2_000 }).run({ argv, env: {}, input: '' });
    await site.connected(1);
    expect(await running).toEqual({ failure: expect.stringMatching(/^\S+ did not end within 2 s$/) as unknown });
    await site.vacated();
  });

  test('that ends is over, whatever it left behind holds open', async () => {
    const argv = node(
      `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref(); console.log('done'); process.exit(0);`,
    );
    expect(await transport().run({ argv, env: {}, input: '' })).toEqual({ code: 0, signal: null, output: 'done\n' });
  });

  test('that is killed, or is none, says so', async () => {
    const killed = await transport().run({ argv: node(`process.kill(process.pid, 'SIGTERM')`), env: {}, input: '' });
    expect(killed).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(await transport().run({ argv: ['/no/such-program', 'a secret word'], env: {}, input: '' })).toEqual({
      failure: 'such-program cannot be started: there is no such program; write its whole path',
    });
    for (const program of ['/', '/etc/passwd', '/etc/passwd/x', 'with\0zero']) {
      const unrunnable = await transport().run({ argv: [program], env: {}, input: '' });
      expect(unrunnable).toMatchObject({ failure: expect.stringContaining('cannot be started') as unknown });
    }
  });

  test('is ended by who calls it off', async () => {
    const end = new AbortController();
    const site = await Site.listening(() => undefined);
    const running = transport({}, end.signal).run({
      argv: node(`require('net').connect(${site.port}, '127.0.0.1')`),
      env: {},
      input: '',
    });
    await site.connected(1);
    end.abort(new Error('the daemon stops'));
    await expect(running).rejects.toThrow('the daemon stops');
    await site.vacated();
  });
});
