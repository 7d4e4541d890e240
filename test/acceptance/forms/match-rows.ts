import { missing, type Noun } from './row.ts';

/** What came of the rules, and all of it in a file. */
export const matchRows: Noun = ({ crawled, crawledToo, event, eventToo, file }) => [
  {
    command: 'tail',
    plain: { args: ['news', '--once', '--since', '1h', '--plain'], says: /fox/ },
    json: { args: ['news', '--once', '--since', '1h'] },
    fails: missing,
  },
  {
    command: 'saved add',
    plain: { args: ['news', event], says: /saved/, on: 'stderr' },
    json: { args: ['news', eventToo, '--note', 'for Monday'] },
    fails: { args: ['news', '0-999999'], exit: 5, code: 'not_found' },
  },
  {
    command: 'saved list',
    plain: { says: /Changing/ },
    json: {},
    fails: { args: ['--nonsense'], exit: 2, code: 'usage' },
  },
  {
    command: 'saved show',
    plain: { args: [crawled], says: /^title\tChanging$/m },
    json: { args: [crawled] },
    fails: missing,
  },
  {
    command: 'saved note',
    plain: { args: [crawled, 'read it'], says: /was saved/, on: 'stderr' },
    json: { args: [crawled, 'read it again'] },
    fails: { args: ['nothing-of-this-name', 'x'], exit: 5, code: 'not_found' },
  },
  {
    command: 'saved export',
    plain: { says: /^\{.*"read it again"/m },
    json: {},
    fails: { args: ['--format', 'word'], exit: 2, code: 'usage' },
  },
  {
    command: 'saved remove',
    plain: { args: [crawled, '--yes'], says: /no longer/, on: 'stderr' },
    json: { args: [crawledToo, '--yes'] },
    fails: { args: [crawled], exit: 2, code: 'usage' },
  },
  { command: 'digest', plain: { says: /foxes/ }, json: {}, fails: missing },
  { command: 'export', plain: { says: /foxes/ }, json: {}, fails: { args: ['one'], exit: 2, code: 'usage' } },
  {
    command: 'apply',
    plain: { args: [file('all.yaml', 'taps: [{ name: applied }]\n'), '--yes'], says: /applied/ },
    json: { args: [file('all-2.yaml', 'taps: [{ name: applied-too }]\n'), '--yes'] },
    fails: { args: ['-'], input: 'tapps: []\n', exit: 2, code: 'usage' },
  },
];
