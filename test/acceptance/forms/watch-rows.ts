import { excess, ID, missing, type Noun } from './row.ts';

/** Watched URLs. */
export const watchRows: Noun = ({ watched, spare, file }) => [
  {
    command: 'watch add',
    plain: { args: [`${spare}one`, '--no-wait'], says: ID },
    json: { args: [`${spare}two`, '--title', 'Second', '--tag', 'spare', '--no-wait'] },
    fails: { args: [spare, '--select', ']['], exit: 2, code: 'usage' },
  },
  { command: 'watch list', plain: { says: /http/ }, json: { args: ['--tag', 'spare'] }, fails: excess },
  { command: 'watch show', plain: { args: [watched], says: /http/ }, json: { args: [watched] }, fails: missing },
  {
    command: 'watch edit',
    plain: { args: [`${spare}one`, '--every', '3h'], says: /3h/, on: 'stderr' },
    json: { args: [`${spare}one`, `${spare}two`, '--every', '6h', '--tag', 'spare'] },
    fails: { args: [watched, '--trigger', '('], exit: 1, code: 'unclosed_group' },
  },
  {
    command: 'watch pause',
    plain: { args: [`${spare}one`], says: /paused/, on: 'stderr' },
    json: { args: [`${spare}one`, `${spare}two`] },
    fails: missing,
  },
  {
    command: 'watch resume',
    plain: { args: [`${spare}one`], says: /again/, on: 'stderr' },
    json: { args: [`${spare}one`, `${spare}two`] },
    fails: missing,
  },
  {
    command: 'watch check',
    plain: { args: [watched, '--wait'], says: /changed|came/, exit: 1 },
    json: { args: [watched, `${spare}one`, '--wait'], exit: 1 },
    fails: missing,
  },
  {
    command: 'watch try',
    plain: { args: [watched], says: /fox/ },
    json: { args: [watched] },
    fails: { args: [file('nothing.html')], exit: 2, code: 'unreadable' },
  },
  {
    command: 'watch screen',
    // The real one has a terminal: see the tests of the screens.
    plain: { exit: 2, says: /needs a terminal/, on: 'stderr' },
    json: { exit: 2 },
    fails: excess,
  },
  { command: 'watch diff', plain: { args: [watched], says: /fox/ }, json: { args: [watched] }, fails: missing },
  { command: 'watch text', plain: { args: [watched], says: /fox/ }, json: { args: [watched] }, fails: missing },
  { command: 'watch log', plain: { args: [watched], says: /\d/ }, json: { args: [watched] }, fails: missing },
  {
    command: 'watch explain',
    plain: { args: [watched], says: /it has changed/ },
    json: { args: [watched] },
    fails: missing,
  },
  {
    command: 'watch follow',
    plain: { args: [watched, '--since', '1h', '--limit', '1'], says: /fox/ },
    json: { args: [watched, '--since', '1h', '--limit', '1'] },
    fails: missing,
  },
  {
    command: 'watch feed',
    plain: { args: [watched], says: /<feed/ },
    json: { args: [watched] },
    fails: missing,
  },
  {
    command: 'watch export',
    plain: { says: /http/ },
    json: {},
    fails: { args: ['--format', 'word'], exit: 2, code: 'usage' },
  },
  {
    command: 'watch apply',
    plain: { args: [file('watches.yaml', `watches:\n  - url: ${spare}three\n`), '--yes'], says: /three/ },
    json: { args: [file('watches-2.yaml', `watches:\n  - url: ${spare}four\n`), '--yes'] },
    fails: { args: [file('nothing.yaml')], exit: 2, code: 'usage' },
  },
  {
    command: 'watch remove',
    plain: { args: [`${spare}one`, '--yes'], says: /no longer/, on: 'stderr' },
    json: { args: [`${spare}two`, `${spare}three`, '--yes'] },
    fails: { args: [watched], exit: 2, code: 'usage' },
  },
];
