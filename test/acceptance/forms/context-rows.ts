import { excess, missing, type Noun } from './row.ts';

/** Daemons by name, and what speaks of the commands themselves. */
export const contextRows: Noun = ({ daemon }) => [
  {
    command: 'context list',
    plain: { says: /local/ },
    json: {},
    fails: excess,
  },
  {
    command: 'context add',
    plain: { args: ['home', daemon.notice.url, '--no-key'], says: /home/, on: 'stderr' },
    json: { args: ['attic', daemon.notice.url, '--no-key'] },
    fails: { args: ['cellar', 'nonsense', '--no-key'], exit: 2, code: 'usage' },
  },
  { command: 'context show', plain: { args: ['home'], says: /home/ }, json: { args: ['home'] }, fails: missing },
  {
    command: 'context use',
    plain: { args: ['home'], says: /commands use/, on: 'stderr' },
    json: { args: ['local'] },
    fails: missing,
  },
  {
    command: 'context rename',
    plain: { args: ['home', 'house'], says: /house/, on: 'stderr' },
    json: { args: ['house', 'home'] },
    fails: { args: ['nothing-of-this-name', 'other'], exit: 5, code: 'not_found' },
  },
  {
    command: 'context remove',
    plain: { args: ['home', '--yes'], says: /home/, on: 'stderr' },
    json: { args: ['attic', '--yes'] },
    fails: { args: ['nothing-of-this-name', '--yes'], exit: 5, code: 'not_found' },
  },
  {
    command: 'completion',
    plain: { args: ['bash'], says: /complete -F/ },
    json: { args: ['bash'] },
    fails: { args: ['tcsh'], exit: 2, code: 'usage' },
  },
  {
    command: 'help',
    plain: { args: ['tap', 'list'], says: /list the taps/ },
    json: { args: ['tap', 'list'] },
    fails: { args: ['tpa'], exit: 2, code: 'usage' },
  },
];
