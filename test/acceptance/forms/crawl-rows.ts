import { excess, missing, type Noun } from './row.ts';

const body = '<title>Kept</title><p>A fox was seen at the harbour in those days.</p>';
const answer = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const warc = [
  'WARC/1.0',
  'WARC-Type: response',
  'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>',
  `WARC-Date: ${new Date(Date.now() - 86_400_000).toISOString().slice(0, 19)}Z`,
  'WARC-Target-URI: https://kept.example/',
  'Content-Type: application/http; msgtype=response',
  `Content-Length: ${answer.length}`,
  '',
  `${answer}\r\n\r\n`,
].join('\r\n');

/** What is visited, and what is known of it. */
export const crawlRows: Noun = ({ crawled, spare, file }) => {
  const archive = file('one.warc', warc);
  return [
    {
      command: 'crawl add',
      plain: { args: [`${spare}five`, '--every', '1d'], says: /five/ },
      json: { args: [`${spare}six`, '--every', '1d'] },
      fails: { args: ['ftp://example.org/'], exit: 2, code: 'usage' },
    },
    { command: 'crawl list', plain: { says: /http/ }, json: {}, fails: excess },
    { command: 'crawl show', plain: { args: [crawled], says: /http/ }, json: { args: [crawled] }, fails: missing },
    {
      command: 'crawl edit',
      plain: { args: [`${spare}five`, '--every', '2d'], says: /new settings/, on: 'stderr' },
      json: { args: [`${spare}five`, `${spare}six`, '--every', '3d'] },
      fails: { args: [crawled], exit: 2, code: 'usage' },
    },
    {
      command: 'crawl pause',
      plain: { args: [`${spare}five`], says: /paused/, on: 'stderr' },
      json: { args: [`${spare}five`, `${spare}six`] },
      fails: missing,
    },
    {
      command: 'crawl resume',
      plain: { args: [`${spare}five`], says: /again|visited/, on: 'stderr' },
      json: { args: [`${spare}five`, `${spare}six`] },
      fails: missing,
    },
    {
      command: 'crawl status',
      plain: { args: ['--once'], says: /^pages /m },
      json: { args: ['--once'] },
      fails: excess,
    },
    {
      command: 'crawl history',
      plain: { says: /\d{4}-\d\d-\d\d/ },
      json: { args: ['--week'] },
      fails: excess,
    },
    {
      command: 'crawl why',
      plain: { args: [crawled], says: /^robots .*no robots\.txt/m },
      json: { args: [crawled] },
      fails: { args: ['nonsense'], exit: 2, code: 'usage' },
    },
    {
      command: 'crawl diff',
      plain: { args: [crawled], says: /^changed \d{4}-.*Z/m },
      json: { args: [crawled] },
      fails: { args: ['https://example.org/unknown'], exit: 5, code: 'not_found' },
    },
    {
      command: 'crawl visit',
      plain: { args: [crawled, '--wait'], says: /^changed \(200\)$/m },
      json: { args: [crawled, '--wait'] },
      fails: { args: ['https://example.org/unknown'], exit: 5, code: 'not_found' },
    },
    {
      command: 'crawl remove',
      plain: { args: [`${spare}five`, '--yes'], says: /five removed/, on: 'stderr' },
      json: { args: [`${spare}six`, '--yes'] },
      fails: { args: [crawled], exit: 2, code: 'usage' },
    },
    {
      command: 'ingest',
      plain: { args: [archive], says: /1 page in 1 file/, on: 'stderr' },
      json: { args: [archive] },
      fails: { args: [file('nothing.warc')], exit: 2, code: 'usage' },
    },
    {
      command: 'rating import',
      plain: { args: [file('ranks.csv', '1,example.org\n2,example.net\n')], says: /2/, on: 'stderr' },
      json: { args: [file('ranks.csv', '1,example.org\n2,example.net\n')] },
      fails: { args: [file('nothing.csv')], exit: 2, code: 'usage' },
    },
    {
      command: 'rating show',
      plain: { args: ['example.org'], says: /example\.org/ },
      json: { args: ['example.org', 'example.com'] },
      fails: { args: ['not a domain'], exit: 6, code: 'refused' },
    },
    { command: 'rating status', plain: { says: /2/ }, json: {}, fails: excess },
    {
      command: 'rating clear',
      plain: { args: ['--yes'], says: /deleted/, on: 'stderr' },
      json: { args: ['--yes'] },
      fails: { exit: 2, code: 'usage' },
    },
  ];
};
