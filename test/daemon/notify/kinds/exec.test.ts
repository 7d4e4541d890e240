import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exec } from '../../../../src/daemon/notify/kinds/exec.ts';
import { type Answer, type Received, type Receiver, sinkKindContract } from '../../../contract/sink-kind.ts';

const ENDS: Readonly<Record<Answer, string>> = {
  accept: 'process.exit(0)',
  refuse: `console.error('not with me'); process.exit(3)`,
  fail: `console.log('later please'); process.exit(75)`,
  'hang up': `process.kill(process.pid, 'SIGKILL')`,
  repeat: `console.log(input, JSON.stringify(process.env)); process.exit(1)`,
  gone: '',
  later: '',
};

/** A real process that notes what it is given. */
async function receiver(): Promise<Receiver> {
  const folder = await mkdtemp(join(tmpdir(), 'hydrant-exec-'));
  const noted = join(folder, 'noted.jsonl');
  const script = join(folder, 'script.cjs');
  await writeFile(noted, '');
  const faults: string[] = [];
  const received: Received[] = [];
  let answer: Answer = 'accept';
  const prepare = (): string => `#!${process.execPath}
    const { appendFileSync } = require('node:fs');
    let input = '';
    process.stdin.on('data', (chunk) => (input += chunk)).on('end', () => {
      appendFileSync(${JSON.stringify(noted)}, JSON.stringify({ input, env: process.env, words: process.argv.slice(2) }) + '\\n');
      ${ENDS[answer]}
    });`;
  await writeFile(script, prepare(), { mode: 0o700 });
  let seen = 0;
  const look = (): Received[] => {
    const lines = readFileSync(noted, 'utf8').split('\n').slice(0, -1);
    received.push(...lines.slice(seen).map((line) => read(JSON.parse(line) as Noted, faults)));
    seen = lines.length;
    return received;
  };
  return {
    configured: {
      sinkId: 'snk1',
      name: 'lamp',
      options: { command: JSON.stringify([script, 'two words', '$(id); `id`']) },
      secrets: {},
    },
    get answer() {
      return answer;
    },
    set answer(next) {
      answer = next;
      writeFileSync(script, prepare());
    },
    get received() {
      return look();
    },
    get faults() {
      look();
      return faults;
    },
    cannot: ['gone', 'later'],
    isProgram: true,
    // Each is a process.
    runs: 15,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

interface Noted {
  readonly input: string;
  readonly env: Record<string, string>;
  readonly words: readonly string[];
}

function read({ input, env, words }: Noted, faults: string[]): Received {
  if (JSON.stringify(words) !== JSON.stringify(['two words', '$(id); `id`']))
    faults.push(`arguments ${words.join('|')}`);
  const strangers = Object.keys(env).filter((name) => !/^(?:HYDRANT_[A-Z]+|PATH|HOME|LANG)$/.test(name));
  if (strangers.length > 0) faults.push(`environment ${strangers.join()}`);
  if (Object.values(env).some((value) => value.length > 4_096 && value !== env['PATH'])) faults.push('a long variable');
  const { data } = JSON.parse(input) as { data: { id: string; is_cut?: boolean } };
  if (data.id !== env['HYDRANT_ID'] || env['HYDRANT_SINK'] !== 'lamp') faults.push('id or sink');
  const names = ['TITLE', 'URL', 'TEXT', 'TAP', 'RULES', 'TAGS'].map((name) => env[`HYDRANT_${name}`] ?? '');
  return { text: `${names.join('\n')}${data.is_cut === true ? ' is_cut' : ''}`, links: [], alive: [] };
}

sinkKindContract('exec', () => Promise.resolve(exec), receiver);

describe('a command', () => {
  const check = exec.fields.find(({ name }) => name === 'command')?.check;

  test.each(['notify-send', '/usr/bin/notify-send --urgency low', '["sh", "-c", "cat | mail me"]'])(
    'may be %s',
    (command) => {
      expect(check?.(command)).toBeUndefined();
    },
  );

  test.each([
    ['', 'must be a program'],
    ['[]', 'must be a program'],
    ['["a", 1]', 'must be a program'],
    ['["a"', 'must be a program'],
    ['./script', 'whole path'],
    ['["a\\u0000b"]', 'U+0000'],
    ['cat > file', 'without a shell'],
    ['echo "two words"', 'without a shell'],
  ])('%j is none', (command, why) => {
    expect(check?.(command)).toContain(why);
  });

  test('is told by its program alone: arguments may hold a key', () => {
    expect(exec.target({ command: '/usr/bin/push --key hidden' })).toBe('/usr/bin/push');
  });
});
