import { WITHOUT_POSTGRES } from '../../postgres-cluster.ts';
import type { Noun } from './row.ts';

/** The daemon, and what is done around its data. */
export const daemonRows: Noun = ({ daemon, database, file }) => [
  {
    command: 'status',
    plain: { says: /^hydrant/ },
    json: {},
    fails: { env: { HYDRANT_DATA_DIR: file('nowhere') }, exit: 3, code: 'unreachable' },
  },
  {
    command: 'doctor',
    plain: { says: /store/ },
    json: {},
    fails: { env: { HYDRANT_URL: daemon.notice.url }, exit: 2, code: 'usage' },
  },
  {
    command: 'logs',
    plain: { says: /hydrantd listens/ },
    json: {},
    fails: { args: ['--lines', 'many'], exit: 2, code: 'usage' },
  },
  {
    command: 'backup',
    plain: { args: [file('plain.tar.zst')], says: /plain\.tar\.zst/, on: 'stderr' },
    json: { args: [file('json.tar.gz')] },
    fails: { args: [file('plain.zip')], exit: 2, code: 'usage' },
  },
  {
    command: 'restore',
    plain: {
      args: [file('plain.tar.zst')],
      env: { HYDRANT_DATA_DIR: file('restored') },
      says: /restored/,
      on: 'stderr',
    },
    json: { args: [file('json.tar.gz')], env: { HYDRANT_DATA_DIR: file('restored-too') } },
    fails: {
      args: [file('nothing.tar.zst')],
      env: { HYDRANT_DATA_DIR: file('restored') },
      exit: 2,
      code: 'usage',
    },
  },
  {
    // Of what `restore` made, which no daemon uses.
    command: 'salvage',
    plain: { args: [file('salvaged')], env: { HYDRANT_DATA_DIR: file('restored') }, says: /^log\t\d/m },
    json: { args: [file('salvaged-too')], env: { HYDRANT_DATA_DIR: file('restored') } },
    fails: { args: [file('salvaged')], exit: 1, code: 'refused' },
  },
  {
    // The same directory: there, and back to where its secret is.
    command: 'migrate',
    ...(database === undefined && { lacks: WITHOUT_POSTGRES }),
    plain: {
      args: ['--to', database ?? ''],
      env: { HYDRANT_DATA_DIR: file('restored') },
      says: /^events\t\d+\t[\da-f]{16}$/m,
    },
    json: {
      args: ['--from'],
      env: { HYDRANT_DATA_DIR: file('restored'), HYDRANT_STORE_FILE: file('store', database ?? '') },
    },
    fails: { exit: 2, code: 'usage' },
  },
];
