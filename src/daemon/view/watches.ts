import { html, type Html } from './html.ts';
import { numberIn, page, type Page, type ViewRoute, type Visit } from './visit.ts';
import { address, clipped, everyOf, name, timeOf } from './words.ts';
import type { Watch, WatchReport } from '../../shared/api/watch.ts';
import { VIEW_WATCHES_A_PAGE } from '../../shared/limits.ts';
import { grouped } from '../../shared/grouped.ts';
import { count } from '../../shared/text/plural.ts';
import { domainOf } from '../../shared/text/printable.ts';

/** `/ui/watches`: those that fail first, then those with changes that nobody has seen, then by their last change. */
export const watchesRoutes: readonly ViewRoute[] = [{ method: 'GET', path: '/watches', who: 'member', run: watches }];

/** A watch as both APIs tell it: that of a key says nothing of failures, titles and tags. */
export type ListedWatch = Watch & Partial<Omit<WatchReport, keyof Watch>>;

async function watches({ api, isOperator, query, now }: Visit): Promise<Page> {
  const all = await api.ask<ListedWatch[]>('GET', isOperator ? '/admin/watches' : '/v1/url-watch');
  const [tag, words] = [query.get('tag') ?? '', (query.get('q') ?? '').trim().toLowerCase()];
  const wanted = all.filter((watch) => hasTag(watch, tag) && hasWords(watch, words)).toSorted(byUrgency);
  const pages = Math.max(1, Math.ceil(wanted.length / VIEW_WATCHES_A_PAGE));
  const at = Math.min(pages, numberIn(query, 'page') ?? 1);
  const shown = wanted.slice((at - 1) * VIEW_WATCHES_A_PAGE, at * VIEW_WATCHES_A_PAGE);
  const failing = all.filter(isFailing).length;
  return page(
    'Watches',
    html`<div class="head">
        <h1>Watches</h1>
        <p class="sum">
          ${grouped(all.length)}${failing > 0 && html` · <b class="bad">${grouped(failing)} failing</b>`}
        </p>
        <a class="button" href="/ui/watches/new">Add a watch</a>
      </div>
      ${all.length > 0 && filter(tag, words)} ${tagLinks(all, tag)} ${shown.length === 0 && nothing(all.length)}
      <ul id="watches" class="rows">
        ${shown.map((watch) => row(watch, now))}
      </ul>
      ${pages > 1 && pager({ at, pages, tag, words })}`,
  );
}

export function isFailing({ problem }: ListedWatch): boolean {
  return problem !== undefined && problem !== null;
}

function hasTag({ tags = [] }: ListedWatch, tag: string): boolean {
  return tag === '' || tags.includes(tag);
}

function hasWords({ url, title = '' }: ListedWatch, words: string): boolean {
  return words === '' || url.toLowerCase().includes(words) || title.toLowerCase().includes(words);
}

function byUrgency(one: ListedWatch, other: ListedWatch): number {
  return (
    Number(isFailing(other)) - Number(isFailing(one)) ||
    Number((other.unseen ?? 0) > 0) - Number((one.unseen ?? 0) > 0) ||
    newest(other) - newest(one)
  );
}

/** Of one that has never changed, when it was made. */
function newest({ last_change: change, created_at: created }: ListedWatch): number {
  return Date.parse(change?.at ?? created);
}

function row(watch: ListedWatch, now: number): Html {
  const { id, url, title, tags = [], problem, unseen = 0 } = watch;
  const labels = tags.map(
    (tag) => html` <a class="tag" href="${address('/ui/watches', { tag })}">${clipped(tag, 40)}</a>`,
  );
  const news = unseen > 0 && html` <b class="new">${grouped(unseen)} new</b>`;
  return html`<li class="${problem ? 'failing' : ''}" data-item>
    <a class="what" href="/ui/watches/${id}">${name(title ?? withoutScheme(url))}</a>${news}
    <p class="about">${title !== undefined && html`${name(domainOf(url))} · `}${stateOf(watch, now)}${labels}</p>
    ${problem && html`<p class="bad">${clipped(problem.detail, 200)}</p>`}
  </li> `;
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}

/** What there is to say of a watch in one line. */
export function stateOf(watch: ListedWatch, now: number): Html {
  const { status, held, problem, last_change: change, last_checked_at: checked, change_count: changes } = watch;
  const every = html`every ${everyOf(watch.effective_minutes ?? watch.frequency_minutes)}`;
  if (status === 'paused') return html`paused · ${count(changes, 'change')}`;
  if (held) return html`held: the checks of this month are used up`;
  if (problem) return html`${count(problem.failures, 'failure')} since ${timeOf(problem.since, now)} · ${every}`;
  if (checked === null) return html`not checked yet · ${every}`;
  const last = change ? html`changed ${timeOf(change.at, now)}` : html`${count(changes, 'change')}`;
  return html`${last} · checked ${timeOf(checked, now)} · ${every}`;
}

function filter(tag: string, words: string): Html {
  return html`<form class="filter" action="/ui/watches" role="search">
    ${tag !== '' && html`<input type="hidden" name="tag" value="${tag}" />`}
    <label class="hidden" for="q">Filter by title or address</label>
    <input
      type="search"
      id="q"
      name="q"
      value="${words}"
      placeholder="Filter"
      data-filters="watches"
      autocomplete="off"
    />
    <button class="plain">Filter</button>
  </form>`;
}

function tagLinks(all: readonly ListedWatch[], chosen: string): Html | false {
  const counts = new Map<string, number>();
  for (const tag of all.flatMap(({ tags = [] }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  if (counts.size === 0) return false;
  const used = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, TAGS_LINKED);
  const links = used.map(([tag, number]) => {
    const isHere = tag === chosen;
    const to = address('/ui/watches', { tag: isHere ? undefined : tag });
    return html`<li>
      <a href="${to}" ${isHere && html` aria-current="true"`}>${clipped(tag, 40)} <span>${number}</span></a>
    </li>`;
  });
  return html`<nav aria-label="Tags">
    <ul class="chips">
      ${links}
    </ul>
  </nav>`;
}

/** The most used ones. */
const TAGS_LINKED = 30;

function nothing(all: number): Html {
  if (all > 0) return html`<p class="empty">No watch is like that.</p>`;
  return html`<p class="empty">
    Nothing is watched yet. A watch checks one page at its own pace and keeps what changed.
  </p>`;
}

function pager({ at, pages, tag, words }: { at: number; pages: number; tag: string; words: string }): Html {
  const to = (number: number): string => address('/ui/watches', { tag, q: words, page: number });
  return html`<nav class="more" aria-label="Pages">
    ${at > 1 && html`<a href="${to(at - 1)}" rel="prev">Before</a>`}
    <span>Page ${at} of ${pages}</span>
    ${at < pages && html`<a href="${to(at + 1)}" rel="next">Next</a>`}
  </nav>`;
}
