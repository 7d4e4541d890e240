import type { SinkFieldReport, SinkKindReport, SinkReport } from '../../../../src/shared/api/notify.ts';

/** As the daemon reports one that was just made. */
export const PHONE: SinkReport = {
  id: '5a000001-0000-4000-8000-000000000001',
  name: 'phone',
  kind: 'ntfy',
  options: { url: 'https://ntfy.sh', topic: 'my-topic' },
  secrets: [],
  target: 'https://ntfy.sh/my-topic',
  taps: 'all',
  query: null,
  watches: 'all',
  problems: { after: 3 },
  digest: null,
  quiet: null,
  zone: 'Europe/Berlin',
  at_most: null,
  template: null,
  created_at: '2026-02-27T00:00:00.000Z',
  state: 'active',
  waiting: null,
  failing_since: null,
  dead_since: null,
  counts: { sent: 0, behind: 0, parked: 0, dropped: 0 },
  last_delivery_at: null,
  last_error: null,
};

export const TEAM: SinkReport = {
  ...PHONE,
  id: '5a110002-0000-4000-8000-000000000002',
  name: 'team',
  kind: 'slack',
  options: {},
  secrets: ['url'],
  target: 'a webhook of Slack',
  taps: [{ id: '4f1c2ab8-0000-4000-8000-000000000001', name: 'news' }],
  watches: { tags: ['shop', 'eu'] },
  problems: null,
  digest: '08:00',
  quiet: '22:00-07:00',
  at_most: '20/h',
  failing_since: '2026-02-20T00:00:00.000Z',
  dead_since: '2026-02-23T00:00:00.000Z',
  counts: { sent: 1_204, behind: 12, parked: 2, dropped: 31 },
  last_delivery_at: '2026-02-19T00:00:00.000Z',
  last_error: { at: '2026-02-27T00:00:00.000Z', outcome: 'refused', status: 403, detail: 'invalid_token' },
};

const field = (name: string, description: string, more: Partial<SinkFieldReport> = {}): SinkFieldReport => ({
  name,
  is_secret: false,
  is_required: false,
  description,
  ...more,
});

/** Of each kind that the tests use, as the daemon has it. */
export const KINDS: readonly SinkKindReport[] = [
  {
    kind: 'webhook',
    fields: [
      field('url', 'the address that messages are sent to', { is_required: true }),
      field('path', 'what follows it and is nobody’s business', { is_secret: true }),
      field('secret', 'what messages are signed with', { is_secret: true }),
    ],
  },
  {
    kind: 'ntfy',
    fields: [
      field('url', 'the address of the ntfy server'),
      field('topic', 'the topic that is subscribed to on the phone', { is_required: true }),
      field('priority', 'from 1 to 5'),
      field('user', 'the user'),
      field('password', 'the password of the user', { is_secret: true }),
      field('token', 'an access token', { is_secret: true }),
    ],
  },
  { kind: 'exec', fields: [field('command', 'a program and its arguments', { is_required: true })] },
  {
    kind: 'email',
    fields: [
      field('host', 'the SMTP server', { is_required: true }),
      field('port', 'its port'),
      field('security', 'starttls, tls or none'),
      field('from', 'the address that mails are from', { is_required: true }),
      field('to', 'the addresses that they are for', { is_required: true }),
      field('user', 'the user'),
      field('password', 'the password of the user', { is_secret: true }),
      field('certificate', 'the certificate of a server'),
    ],
  },
  { kind: 'slack', fields: [field('url', 'the address of the webhook', { is_secret: true, is_required: true })] },
  {
    kind: 'matrix',
    fields: [
      field('url', 'the address of the home server', { is_required: true }),
      field('room', 'the id of the room', { is_required: true }),
      field('token', 'an access token', { is_secret: true, is_required: true }),
    ],
  },
  {
    kind: 'pushover',
    fields: [
      field('token', 'the API token', { is_secret: true, is_required: true }),
      field('user', 'the key of the user', { is_secret: true, is_required: true }),
    ],
  },
];
