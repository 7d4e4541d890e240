import { type Api, pathTo } from './api.ts';
import { type ChangeForm, changeOf } from './change.ts';
import { html, type Html } from './html.ts';
import { numberIn, page, type Page, redirect, type Redirect, type ViewRoute, type Visit } from './visit.ts';
import { address, name, outwards, timeOf } from './words.ts';
import { type ListedWatch, stateOf } from './watches.ts';
import type { CheckDetail, CheckReport, CrawlEntry } from '../../shared/api/watch.ts';
import { checkWords } from '../../shared/documents/check-words.ts';
import { entryHunks, type ShownHunk, shownHunks } from '../../shared/documents/shown-change.ts';

/** `/ui/watches/:id`: one watch, its checks, and one change of it. */
export const watchRoutes: readonly ViewRoute[] = [
  { method: 'GET', path: '/watches/:id', who: 'member', run: watch },
  { method: 'POST', path: '/watches/:id/check', who: 'operator', run: checkNow },
  { method: 'POST', path: '/watches/:id/seen', who: 'operator', run: see },
  { method: 'POST', path: '/watches/:id/status', who: 'member', run: changeStatus },
  { method: 'GET', path: '/watches/:id/remove', who: 'member', run: askToRemove },
  { method: 'POST', path: '/watches/:id/remove', who: 'member', run: remove },
];

/** The route of a watch in the API of who asks. */
export function pathOf({ isOperator }: Pick<Visit, 'isOperator'>, id: string): string {
  return pathTo(isOperator ? '/admin/watches/:' : '/v1/url-watch/:', id);
}

/** A watch and what is known of its checks, newest first. */
interface Known {
  readonly watch: ListedWatch;
  readonly checks: readonly CheckReport[];
  /** The change that is shown; undefined: none was asked for, or there is none. */
  readonly change: { readonly check: CheckReport; readonly hunks: readonly ShownHunk[] } | undefined;
}

const CHECKS = 30;

async function watch(visit: Visit): Promise<Page> {
  const { params, query, isOperator, api } = visit;
  const { id = '' } = params;
  const known = isOperator ? await ofOperator(api, id, query) : await ofMember(api, id, query);
  const form = query.get('form') === 'sides' ? 'sides' : 'words';
  const { change } = known;
  return page(
    known.watch.title ?? known.watch.url,
    html`${about(visit, known.watch)} ${change && changeSection(id, change, form)} ${checksSection(visit, known, form)}`,
  );
}

function about({ query, isOperator, now }: Visit, shown: ListedWatch): Html {
  const waiting = numberIn(query, 'wait');
  // The script asks again as long as the check that was asked for is not there.
  const isWaiting = waiting !== undefined && (shown.checks ?? 0) < waiting;
  return html`<div class="head"><h1>${name(shown.title ?? shown.url)}</h1></div>
    <p class="about">${outwards(shown.url)}</p>
    <p>${stateOf(shown, now)}</p>
    ${shown.problem && html`<div class="problem"><p>${shown.problem.detail}</p></div>`} ${actions(shown, isOperator)}
    ${isWaiting && html`<p class="empty" data-again role="status">The check is under way. <a href="">Look again</a></p>`}`;
}

function checksSection(
  { params: { id = '' }, isOperator, now }: Visit,
  { checks, change }: Known,
  form: ChangeForm,
): Html {
  const rows = checks.map((check) => checkRow({ id, check, form, now, shown: change?.check.n }));
  return html`<section aria-labelledby="checks-title">
    <h2 id="checks-title">Checks</h2>
    ${rows.length === 0 && html`<p class="empty">The first check is about to come.</p>`}
    <ol class="checks">
      ${rows}
    </ol>
    ${isOperator && older(id, checks)}
  </section>`;
}

async function ofOperator(api: Api, id: string, query: URLSearchParams): Promise<Known> {
  const path = pathTo('/admin/watches/:', id);
  const watch = await api.ask<ListedWatch>('GET', path);
  const before = numberIn(query, 'before');
  const checks = await api.ask<CheckReport[]>('GET', address(`${path}/checks`, { limit: CHECKS, before }));
  const n = numberIn(query, 'n') ?? watch.last_change?.n;
  const check = n === undefined ? undefined : await api.ask<CheckDetail>('GET', `${path}/checks/${n}`);
  return { watch, checks, change: check?.outcome === 'changed' ? { check, hunks: shownHunks(check) } : undefined };
}

/** A key is told what changed and when; checks that failed look like any other. */
async function ofMember(api: Api, id: string, query: URLSearchParams): Promise<Known> {
  const { data: watch, diffs } = await api.answer<{ data: ListedWatch; diffs: CrawlEntry[] }>(
    'GET',
    address(pathTo('/v1/url-watch/:', id), { limit: CHECKS }),
  );
  const checks = diffs.map(({ has_changes, created_at }, index): CheckReport => {
    return { n: diffs.length - index, at: created_at, outcome: has_changes ? 'changed' : 'unchanged' };
  });
  const wanted = numberIn(query, 'n');
  const at = checks.findIndex(({ n, outcome }) => outcome === 'changed' && (wanted === undefined || n === wanted));
  const [check, entry] = [checks[at], diffs[at]];
  return { watch, checks, change: check && entry && { check, hunks: entryHunks(entry.diff) } };
}

function actions(watch: ListedWatch, isOperator: boolean): Html {
  const { id, status, unseen = 0, last_change: change } = watch;
  const isPaused = status === 'paused';
  const seen =
    unseen > 0 &&
    change &&
    html`<form method="post" action="/ui/watches/${id}/seen">
      <button class="plain" name="n" value="${change.n}">Mark as seen</button>
    </form>`;
  return html`<div class="actions">
    ${isOperator && !isPaused && html`<form method="post" action="/ui/watches/${id}/check"><button>Check now</button></form>`}
    <form method="post" action="/ui/watches/${id}/status">
      <button class="plain" name="status" value="${isPaused ? 'active' : 'paused'}">
        ${isPaused ? 'Resume' : 'Pause'}
      </button>
    </form>
    ${seen}
    <a class="button plain" href="/ui/watches/${id}/edit">Edit</a>
    <a class="button plain" href="/ui/watches/${id}/remove">Remove</a>
  </div>`;
}

function changeSection(id: string, { check, hunks }: NonNullable<Known['change']>, form: ChangeForm): Html {
  const link = (to: ChangeForm, label: string): Html => {
    return html`<li>
      <a href="${address(`/ui/watches/${id}`, { n: check.n, form: to })}" ${to === form && html` aria-current="true"`}
        >${label}</a
      >
    </li>`;
  };
  return html`<section aria-labelledby="change-title">
    <div class="head">
      <h2 id="change-title">${checkWords(check)}</h2>
      <nav aria-label="Form of the change">
        <ul class="chips">
          ${link('words', 'One text')}${link('sides', 'Side by side')}
        </ul>
      </nav>
    </div>
    ${changeOf(hunks, form)}
  </section>`;
}

interface CheckRow {
  readonly id: string;
  readonly check: CheckReport;
  readonly form: ChangeForm;
  readonly now: number;
  /** The number of the check whose change is shown. */
  readonly shown: number | undefined;
}

function checkRow({ id, check, form, now, shown }: CheckRow): Html {
  const words = checkWords(check);
  const to = address(`/ui/watches/${id}`, { n: check.n, form: form === 'sides' ? form : undefined });
  const isHere = check.n === shown;
  const told =
    check.outcome === 'changed'
      ? html`<a href="${to}" ${isHere && html` aria-current="true"`}>${words}</a>`
      : html`${words}`;
  return html`<li class="${check.outcome}">${timeOf(check.at, now)} <span>${told}</span></li>`;
}

function older(id: string, checks: readonly CheckReport[]): Html | false {
  const last = checks.at(-1);
  if (checks.length < CHECKS || last === undefined || last.n <= 1) return false;
  return html`<p class="more"><a href="${address(`/ui/watches/${id}`, { before: last.n })}" rel="next">Older</a></p>`;
}

async function checkNow({ api, params: { id = '' } }: Visit): Promise<Redirect> {
  const order = await api.ask<{ checks?: number; under_way?: boolean }>('POST', pathTo('/admin/watches/:/check', id));
  // One that has begun before is not the one that was asked for.
  const wait = (order.checks ?? 0) + (order.under_way === true ? 2 : 1);
  return redirect(address(`/ui/watches/${encodeURIComponent(id)}`, { wait }));
}

/** The command line counts as new what comes after it, as well. */
async function see({ api, form, params: { id = '' } }: Visit): Promise<Redirect> {
  await api.answer('POST', pathTo('/admin/watches/:/seen', id), { body: { n: numberIn(form, 'n') ?? 0 } });
  return redirect(`/ui/watches/${encodeURIComponent(id)}`);
}

async function changeStatus(visit: Visit): Promise<Redirect> {
  const { api, form, isOperator, params } = visit;
  const { id = '' } = params;
  await api.ask(isOperator ? 'PATCH' : 'PUT', pathOf(visit, id), { body: { status: form.get('status') } });
  return redirect(`/ui/watches/${encodeURIComponent(id)}`);
}

async function askToRemove(visit: Visit): Promise<Page> {
  const { api, params } = visit;
  const { id = '' } = params;
  const found = await api.ask<ListedWatch>('GET', pathOf(visit, id));
  const called = found.title ?? found.url;
  return page(
    `Remove ${called}?`,
    html`<h1>Remove ${name(called)}?</h1>
      <p>It is not checked any more, and its history is deleted.</p>
      <div class="actions">
        <form method="post" action="/ui/watches/${found.id}/remove"><button class="danger">Remove</button></form>
        <a class="button plain" href="/ui/watches/${found.id}">Keep it</a>
      </div>`,
  );
}

async function remove(visit: Visit): Promise<Redirect> {
  await visit.api.ask('DELETE', pathOf(visit, visit.params['id'] ?? ''));
  return redirect('/ui/watches');
}
