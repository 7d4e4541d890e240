import { pathTo } from './api.ts';
import { Fields, type FormState } from './form.ts';
import { html, type Html } from './html.ts';
import { sparkline } from './sparkline.ts';
import { page, type Page, redirect, type Redirect, type ViewRoute, type Visit } from './visit.ts';
import { withForm } from './watch-form.ts';
import { clipped, lateness, name, outwards, timeOf } from './words.ts';
import type { CrawlHistory, CrawlStatus, Source, SourceVisit } from '../../shared/api/crawl.ts';
import type { UnhealthyHost } from '../../shared/api/status.ts';
import { grouped } from '../../shared/grouped.ts';
import { count } from '../../shared/text/plural.ts';

/** `/ui/crawl`: how the crawl is doing, and where it starts. */
export const crawlRoutes: readonly ViewRoute[] = [
  { method: 'GET', path: '/crawl', who: 'operator', run: crawl },
  { method: 'GET', path: '/sources/new', who: 'operator', run: async () => newForm({ values: STANDARD }) },
  { method: 'POST', path: '/sources', who: 'operator', run: add },
  { method: 'GET', path: '/sources/:id', who: 'operator', run: source },
  { method: 'POST', path: '/sources/:id', who: 'operator', run: edit },
  { method: 'POST', path: '/sources/:id/status', who: 'operator', run: changeStatus },
  { method: 'POST', path: '/sources/:id/remove', who: 'operator', run: remove },
];

async function crawl({ api, now }: Visit): Promise<Page> {
  const [status, history, sources] = await Promise.all([
    api.ask<CrawlStatus>('GET', '/admin/crawl'),
    api.ask<CrawlHistory>('GET', '/admin/crawl/history'),
    api.ask<Source[]>('GET', '/admin/sources'),
  ]);
  const {
    visits,
    pages,
    pages_per_second: rate,
    due_lag_ms: lag,
    unhealthy = [],
    recent_failures: failures = [],
  } = status;
  const doubted = status.network_doubted_since;
  return page(
    'Crawl',
    html`<div class="head">
        <h1>Crawl</h1>
        <p class="sum">
          ${count(pages.known, 'page')}${rate >= 0.05 && html` · ${rate.toFixed(rate < 10 ? 1 : 0)} a second`}
        </p>
        <a class="button" href="/ui/sources/new">Add a source</a>
      </div>
      ${doubted && html`<div class="problem"><p>No host has answered since ${timeOf(doubted, now)}: it may be our own network.</p></div>`}
      ${figures([
        ['Visits', grouped(visits.made)],
        ['Changes', grouped(visits.changed)],
        ['Failures', grouped(visits.failed)],
        ['Late by (median)', lateness(lag.p50)],
        ['Never visited yet', grouped(pages.unvisited)],
        ['Hosts resting', `${grouped(status.hosts.backing_off)} of ${grouped(status.hosts.known)}`],
      ])}
      ${graphs(history)} ${sourcesSection(sources, now)}
      ${
        failures.length > 0 &&
        html`<section aria-labelledby="failures">
          <h2 id="failures">Pages that failed</h2>
          <ul class="rows">
            ${failures.map((visit) => failure(visit, now))}
          </ul>
        </section>`
      }
      ${
        unhealthy.length > 0 &&
        html`<section aria-labelledby="hosts">
          <h2 id="hosts">Hosts that fail or rest</h2>
          <ul class="rows">
            ${unhealthy.slice(0, HOSTS).map((host) => hostRow(host, now))}
          </ul>
        </section>`
      }`,
  );
}

const HOSTS = 50;

/** A few numbers, each with its name. */
export function figures(rows: readonly (readonly [label: string, value: string])[]): Html {
  return html`<dl class="figures">
    ${rows.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const LINES = [
  { name: 'Visits', of: 'visits' },
  { name: 'Changes', of: 'changed' },
  { name: 'Failures', of: 'failed' },
  { name: 'Late by', of: 'late_ms' },
] as const;

/** The last day and the last week of four figures. */
function graphs({ day, week }: CrawlHistory): Html {
  const rows = LINES.map(({ name: called, of }) => {
    const cells = [day, week].map((spans, index) => {
      const values = spans.map((span) => span?.[of] ?? undefined);
      const known = values.filter((value) => value !== undefined);
      const sum = known.reduce((some, value) => some + value, 0);
      const told = of === 'late_ms' ? lateness(known.length === 0 ? null : Math.max(...known)) : grouped(sum);
      const what = of === 'late_ms' ? 'at most' : 'in all';
      const label = `${called} over the last ${index === 0 ? 'day' : 'week'}: ${told} ${what}`;
      return html`<td>${sparkline(values, label)}<span>${told}</span></td>`;
    });
    return html`<tr>
      <th scope="row">${called}</th>
      ${cells}
    </tr>`;
  });
  return html`<table class="graphs">
    <thead>
      <tr>
        <td></td>
        <th scope="col">Last day</th>
        <th scope="col">Last week</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function sourcesSection(sources: readonly Source[], now: number): Html {
  const failing = (one: Source): number => Number(one.problem !== undefined);
  const shown = sources.toSorted((one, other) => failing(other) - failing(one)).slice(0, SOURCES);
  return html`<section aria-labelledby="sources-title">
    <h2 id="sources-title">Sources</h2>
    ${sources.length === 0 && html`<p class="empty">The crawl has nowhere to start. Add a site, and every change of its pages is matched with the rules.</p>`}
    <ul class="rows">
      ${shown.map((one) => sourceRow(one, now))}
    </ul>
    ${sources.length > SOURCES && html`<p class="empty">and ${count(sources.length - SOURCES, 'more source')}: hydrant crawl list</p>`}
  </section>`;
}

const SOURCES = 100;

function sourceRow(source: Source, now: number): Html {
  const { id, url, scope, paused, pages, visits, last_visit: last, problem, render } = source;
  const told = last && html` · visited ${timeOf(last.at, now)}`;
  return html`<li class="${problem ? 'failing' : ''}" data-item>
    <a class="what" href="/ui/sources/${id}">${name(url.replace(/^https?:\/\//, ''))}</a>
    <p class="about">
      ${paused && html`paused · `}${scope} · ${render && html`rendered · `}${count(pages, 'page')} ·
      ${count(visits, 'visit')}${told}
    </p>
    ${problem && html`<p class="bad">${problem.reason}${problem.detail !== undefined && html`: ${clipped(problem.detail, 200)}`}</p>`}
  </li> `;
}

function failure({ url, at, reason, detail }: SourceVisit, now: number): Html {
  return html`<li data-item>
    ${outwards(url)}
    <p class="about">${timeOf(at, now)} · ${clipped(detail ?? reason ?? 'failed', 200)}</p>
  </li> `;
}

function hostRow({ host, reason, failures, next_try: next }: UnhealthyHost, now: number): Html {
  return html`<li data-item>
    <span class="what">${name(host)}</span>
    <p class="about">
      ${reason}${failures > 0 && html` · ${count(failures, 'failure')} in a row`}${next && html` · asked again ${timeOf(next, now)}`}
    </p>
  </li> `;
}

const STANDARD = new URLSearchParams({ scope: 'host' });

function newForm(state: FormState): Page {
  const fields = new Fields(state);
  return page(
    'Add a source',
    html`<h1>Add a source</h1>
      <form method="post" action="/ui/sources" class="form">
        ${fields.text({ name: 'url', label: 'Address', type: 'url', required: true, hint: 'A page, a feed or a sitemap.' })}
        ${fields.choice({ name: 'scope', label: 'How far', hint: 'Which pages are visited, of those that links lead to.' }, SCOPES)}
        ${terms(fields)} ${fields.check({ name: 'baseline', label: 'What is there at first is no news' })}
        ${fields.rest()}
        <div class="actions"><button>Crawl it</button> <a class="button plain" href="/ui/crawl">Cancel</a></div>
      </form>`,
    state.refusal?.status,
  );
}

const SCOPES = [
  ['page', 'this page, and the entries of a feed or sitemap'],
  ['prefix', 'what is below its directory'],
  ['host', 'its host'],
  ['domain', 'its domain, with all hosts'],
  ['any', 'anywhere'],
] as const;

function terms(fields: Fields): Html {
  return html`${fields.text({ name: 'depth', label: 'Depth', hint: 'Links from the address at most. Empty: as far as it goes.' })}
  ${fields.text({ name: 'every_seconds', label: 'Seconds between two visits', hint: 'Empty: each page by how often it changes.' })}
  ${fields.text({ name: 'max_pages', label: 'Pages at most', hint: 'Empty: 1,000, and 100 where it goes anywhere.' })}`;
}

async function add({ api, form }: Visit): Promise<Page | Redirect> {
  return withForm(
    async () => {
      const url = (form.get('url') ?? '').trim();
      const body = { url, scope: form.get('scope'), ...given(form), ...(form.has('baseline') && { baseline: true }) };
      const { id } = await api.ask<Source>('POST', '/admin/sources', { body });
      return redirect(`/ui/sources/${id}`);
    },
    async (refusal) => newForm({ values: form, refusal }),
  );
}

const NUMBERS = ['depth', 'every_seconds', 'max_pages'] as const;

/** Numbers that were typed. What is none is sent as it is, and the API says so. */
function given(form: URLSearchParams): Record<string, number | string> {
  const typed = NUMBERS.map((field) => [field, (form.get(field) ?? '').trim()] as const);
  return Object.fromEntries(
    typed
      .filter(([, text]) => text !== '')
      .map(([field, text]) => [field, /^-?\d{1,15}$/.test(text) ? Number(text) : text]),
  );
}

async function source({ api, params: { id = '' }, now }: Visit): Promise<Page> {
  const found = await api.ask<Source>('GET', pathTo('/admin/sources/:', id));
  const text = (value: number | null): string => (value === null ? '' : String(value));
  const { depth, every_seconds, max_pages } = found;
  return sourcePage(found, now, {
    values: new URLSearchParams({ depth: text(depth), every_seconds: text(every_seconds), max_pages: text(max_pages) }),
  });
}

function sourcePage(found: Source, now: number, state: FormState): Page {
  const { id, url, scope, paused, pages, visits, last_visit: last, next_visit_at: next, problem, render } = found;
  const fields = new Fields(state);
  return page(
    url,
    html`<div class="head"><h1>${name(url.replace(/^https?:\/\//, ''))}</h1></div>
      <p class="about">${outwards(url)}</p>
      <p>
        ${paused && html`paused · `}${scope} · ${render && html`rendered in a browser · `}${count(pages, 'page')} ·
        ${count(visits, 'visit')}${last && html` · visited ${timeOf(last.at, now)}`}${
          next && html` · next ${timeOf(next, now)}`
        }
      </p>
      ${problem && html`<div class="problem"><p>${problem.reason}${problem.detail !== undefined && html`: ${problem.detail}`}</p></div>`}
      <div class="actions">
        <form method="post" action="/ui/sources/${id}/status">
          <button class="plain" name="paused" value="${paused ? 'no' : 'yes'}">${paused ? 'Resume' : 'Pause'}</button>
        </form>
        <form method="post" action="/ui/sources/${id}/remove"><button class="danger">Remove</button></form>
      </div>
      <form method="post" action="/ui/sources/${id}" class="form">
        ${terms(fields)} ${fields.rest()}
        <div class="actions"><button>Save</button> <a class="button plain" href="/ui/crawl">Back</a></div>
      </form>`,
    state.refusal?.status,
  );
}

async function edit({ api, form, params: { id = '' }, now }: Visit): Promise<Page | Redirect> {
  const path = pathTo('/admin/sources/:', id);
  return withForm(
    async () => {
      await api.ask('PATCH', path, { body: { depth: null, every_seconds: null, ...given(form) } });
      return redirect(`/ui/sources/${encodeURIComponent(id)}`);
    },
    async (refusal) => sourcePage(await api.ask<Source>('GET', path), now, { values: form, refusal }),
  );
}

async function changeStatus({ api, form, params: { id = '' } }: Visit): Promise<Redirect> {
  await api.ask('PATCH', pathTo('/admin/sources/:', id), { body: { paused: form.get('paused') === 'yes' } });
  return redirect(`/ui/sources/${encodeURIComponent(id)}`);
}

async function remove({ api, params: { id = '' } }: Visit): Promise<Redirect> {
  await api.answer('DELETE', pathTo('/admin/sources/:', id));
  return redirect('/ui/crawl');
}
