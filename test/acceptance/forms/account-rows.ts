import { excess, ID, missing, type Noun } from './row.ts';

/** Organizations, their people and what they may spend. With a second one the operator has to say whose: last of all. */
export const accountRows: Noun = () => [
  {
    command: 'member add',
    plain: { args: ['Ines'], says: /Ines/, on: 'stderr' },
    json: { args: ['Olaf'] },
    fails: { args: ['Uta', '--role', 'king'], exit: 2, code: 'usage' },
  },
  { command: 'member list', plain: { says: /Ines/ }, json: {}, fails: excess },
  {
    command: 'member role',
    plain: { args: ['Ines', 'admin'], says: /admin/, on: 'stderr' },
    json: { args: ['Olaf', 'admin'] },
    fails: { args: ['nothing-of-this-name', 'admin'], exit: 5, code: 'not_found' },
  },
  {
    command: 'key create',
    plain: { args: ['laptop'], says: /^svcm_/ },
    json: { args: ['phone'] },
    fails: { args: ['tablet', '--member', 'nothing-of-this-name'], exit: 5, code: 'not_found' },
  },
  { command: 'key list', plain: { says: /laptop/ }, json: {}, fails: excess },
  {
    command: 'key revoke',
    plain: { args: ['laptop', '--yes'], says: /laptop/, on: 'stderr' },
    json: { args: ['phone', '--yes'] },
    fails: { args: ['nothing-of-this-name', '--yes'], exit: 5, code: 'not_found' },
  },
  {
    command: 'member remove',
    plain: { args: ['Ines', '--yes'], says: /Ines/, on: 'stderr' },
    json: { args: ['Olaf', '--yes'] },
    fails: { args: ['nothing-of-this-name', '--yes'], exit: 5, code: 'not_found' },
  },
  {
    command: 'credit grant',
    plain: { args: ['100'], says: /100/, on: 'stderr' },
    json: { args: ['50'] },
    fails: { args: ['much'], exit: 2, code: 'usage' },
  },
  { command: 'credit show', plain: { says: /\d/ }, json: {}, fails: excess },
  {
    command: 'credit set',
    plain: { args: ['20', '--yes'], says: /20/, on: 'stderr' },
    json: { args: ['10', '--yes'] },
    fails: { args: ['5'], exit: 2, code: 'usage' },
  },
  { command: 'credit unlimited', plain: { says: /is unlimited/, on: 'stderr' }, json: {}, fails: excess },
  { command: 'credit history', plain: { says: /100/ }, json: {}, fails: excess },
  {
    command: 'usage',
    plain: { says: /\tnews\t/ },
    json: {},
    fails: { args: ['--by', 'moon'], exit: 2, code: 'usage' },
  },
  {
    command: 'org add',
    plain: { args: ['press'], says: ID },
    json: { args: ['paper'] },
    fails: { args: ['pulp', '--plan', 'nothing-of-this-name'], exit: 6, code: 'refused' },
  },
  { command: 'org list', plain: { says: /press/ }, json: {}, fails: excess },
  { command: 'org show', plain: { args: ['press'], says: /press/ }, json: { args: ['press'] }, fails: missing },
  {
    command: 'org rename',
    plain: { args: ['press', 'printers'], says: /printers/, on: 'stderr' },
    json: { args: ['printers', 'press'] },
    fails: { args: ['nothing-of-this-name', 'press'], exit: 5, code: 'not_found' },
  },
  {
    command: 'org plan',
    plain: { args: ['press', '--rules', '100'], says: /100/, on: 'stderr' },
    json: { args: ['press', '--reset'] },
    fails: { args: ['nothing-of-this-name', '--reset'], exit: 5, code: 'not_found' },
  },
];
