import { excess, missing, type Noun } from './row.ts';

/** Sinks. What they send is read by `true`, which has no answer. */
export const notifyRows: Noun = () => [
  {
    command: 'notify add',
    plain: { args: ['script', 'exec', 'true', '--test'], says: /^script: delivered \(0\) to true in / },
    json: { args: ['other', 'exec', 'true', '--taps', 'none', '--test'] },
    fails: { args: ['third', 'pigeon', 'true'], exit: 2, code: 'usage' },
  },
  { command: 'notify list', plain: { says: /script/ }, json: {}, fails: excess },
  {
    command: 'notify show',
    plain: { args: ['script'], says: /^kind\texec$/m },
    json: { args: ['script'] },
    fails: missing,
  },
  {
    command: 'notify edit',
    plain: { args: ['script', '--at-most', '20/h'], says: /at most 20\/h/, on: 'stderr' },
    json: { args: ['script', '--at-most', 'none'] },
    fails: { args: ['script'], exit: 2, code: 'usage' },
  },
  {
    command: 'notify test',
    plain: { args: ['script'], says: /^script: delivered/ },
    json: { args: ['script', 'other'] },
    fails: missing,
  },
  {
    command: 'notify log',
    plain: { args: ['script'], says: /\tdelivered\t/ },
    json: { args: ['script'] },
    fails: missing,
  },
  {
    command: 'notify pause',
    plain: { args: ['script'], says: /paused/, on: 'stderr' },
    json: { args: ['script', 'other'] },
    fails: missing,
  },
  {
    command: 'notify resume',
    plain: { args: ['script'], says: /sends again/, on: 'stderr' },
    json: { args: ['script', 'other'] },
    fails: missing,
  },
  {
    command: 'notify replay',
    plain: { args: ['script', '--parked'], says: /0 messages tried again/, on: 'stderr' },
    json: { args: ['script', '--since', '1h'] },
    fails: { args: ['script'], exit: 2, code: 'usage' },
  },
  {
    command: 'notify kinds',
    plain: { says: /^exec\tcommand$/m },
    json: {},
    fails: { args: ['pigeon'], exit: 2, code: 'usage' },
  },
  {
    command: 'notify remove',
    plain: { args: ['script', '--yes'], says: /removed/, on: 'stderr' },
    json: { args: ['other', '--yes'] },
    fails: { args: ['other'], exit: 2, code: 'usage' },
  },
];
