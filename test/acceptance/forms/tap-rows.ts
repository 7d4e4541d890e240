import { excess, ID, missing, type Noun } from './row.ts';

/** Taps, rules and filters. */
export const tapRows: Noun = () => [
  {
    command: 'tap create',
    plain: { args: ['jobs'], says: ID },
    json: { args: ['offers'] },
    fails: { args: [''], exit: 6, code: 'refused' },
  },
  { command: 'tap list', plain: { says: /jobs/ }, json: {}, fails: excess },
  { command: 'tap show', plain: { args: ['jobs'], says: /jobs/ }, json: { args: ['jobs'] }, fails: missing },
  { command: 'tap token', plain: { args: ['jobs'], says: /^svc_\w{40}$/ }, json: { args: ['jobs'] }, fails: missing },
  {
    command: 'tap pause',
    plain: { args: ['jobs'], says: /paused/, on: 'stderr' },
    json: { args: ['offers'] },
    fails: missing,
  },
  {
    command: 'tap resume',
    plain: { args: ['jobs'], says: /active/, on: 'stderr' },
    json: { args: ['offers'] },
    fails: missing,
  },
  { command: 'tap feed', plain: { args: ['news'], says: /<feed/ }, json: { args: ['news'] }, fails: missing },
  {
    command: 'tap rename',
    plain: { args: ['jobs', 'work'], says: /work/, on: 'stderr' },
    json: { args: ['work', 'jobs'] },
    fails: { args: ['nothing-of-this-name', 'work'], exit: 5, code: 'not_found' },
  },
  {
    command: 'rule add',
    plain: { args: ['jobs', 'title:carpenter', '--tag', 'wood'], says: ID },
    json: { args: ['jobs', 'title:plumber', '--tag', 'pipes'] },
    fails: { args: ['jobs', 'titel:plumber'], exit: 1, code: 'unknown_field' },
  },
  { command: 'rule list', plain: { args: ['jobs'], says: /carpenter/ }, json: { args: ['jobs'] }, fails: missing },
  { command: 'rule show', plain: { args: ['wood'], says: /carpenter/ }, json: { args: ['wood'] }, fails: missing },
  {
    command: 'rule edit',
    plain: { args: ['wood', '--tag', 'timber'], says: /rule wood changed/, on: 'stderr' },
    json: { args: ['timber', '--value', 'title:joiner'] },
    fails: { args: ['wood', '--value', 'titel:joiner'], exit: 1, code: 'unknown_field' },
  },
  {
    command: 'rule try',
    plain: { args: ['fox', '--no-quality'], says: /Changing$/m },
    json: { args: ['fox', '--no-quality'] },
    fails: { args: ['titel:fox'], exit: 1, code: 'unknown_field' },
  },
  {
    command: 'rule test',
    plain: {
      args: ['-'],
      input: '- query: fox\n  doc: { added: a fox }\n  match: true\n',
      says: /all as expected/,
      on: 'stderr',
    },
    json: { args: ['-'], input: '- query: fox\n  doc: { added: a fox }\n  match: true\n' },
    fails: { args: ['-'], input: '- {', exit: 2, code: 'usage' },
  },
  {
    command: 'rule remove',
    plain: { args: ['timber', '--yes'], says: /joiner/, on: 'stderr' },
    json: { args: ['pipes', '--yes'] },
    fails: { args: ['pipes'], exit: 2, code: 'usage' },
  },
  {
    command: 'filter add',
    plain: { args: ['wood', 'title:(oak OR ash)'], says: ID },
    json: { args: ['stone', 'title:(slate OR chalk)'] },
    fails: { args: ['wool', 'titel:wool'], exit: 1, code: 'unknown_field' },
  },
  { command: 'filter list', plain: { says: /wood/ }, json: {}, fails: excess },
  { command: 'filter show', plain: { args: ['wood'], says: /oak/ }, json: { args: ['wood'] }, fails: missing },
  {
    command: 'filter edit',
    plain: { args: ['wood', '--value', 'title:(oak OR elm)'], says: /woods? changed/, on: 'stderr' },
    json: { args: ['wood', '--name', 'woods'] },
    fails: { args: ['wood', '--value', 'titel:wool'], exit: 1, code: 'unknown_field' },
  },
  {
    command: 'filter uses',
    plain: { args: ['woods'], says: /no rule/, on: 'stderr' },
    json: { args: ['woods'] },
    fails: missing,
  },
  {
    command: 'filter remove',
    plain: { args: ['woods', '--yes'], says: /elm/, on: 'stderr' },
    json: { args: ['stone', '--yes'] },
    fails: { args: ['stone'], exit: 2, code: 'usage' },
  },
  {
    command: 'tap revoke',
    plain: { args: ['jobs', '--yes'], says: /revoked/, on: 'stderr' },
    json: { args: ['offers', '--yes'] },
    fails: { args: ['news'], exit: 2, code: 'usage' },
  },
];
