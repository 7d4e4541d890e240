import { pathTo } from './api.ts';
import { chunksOf } from './change.ts';
import { html, type Html } from './html.ts';
import { numberIn, page, type Page, type ViewRoute, type Visit } from './visit.ts';
import { address, clipped, name, outwards, timeOf } from './words.ts';
import type { Rule } from '../../shared/api/rule.ts';
import type { Tap } from '../../shared/api/tap.ts';
import type { PastMatch } from '../../shared/documents/past-match.ts';
import { VIEW_MATCH_LENGTH, VIEW_MATCHES_A_PAGE, VIEW_PAGE_LENGTH, VIEW_TAPS } from '../../shared/limits.ts';
import { domainOf } from '../../shared/text/printable.ts';
import { count } from '../../shared/text/plural.ts';

/** `/ui/`: what matched, newest first, and live; by tap, and by rule. */
export const timelineRoutes: readonly ViewRoute[] = [{ method: 'GET', path: '/', who: 'member', run: timeline }];

/** Taps whose matches a visit may see, as far as one timeline goes: all of the organization, or the one that is asked for. */
export async function tapsAsked({ api, query }: Pick<Visit, 'api' | 'query'>): Promise<readonly Tap[]> {
  const wanted = query.get('tap') ?? '';
  if (wanted !== '') return [await api.ask<Tap>('GET', pathTo('/v1/taps/:', wanted))];
  const taps = await api.ask<Tap[]>('GET', '/v1/taps');
  return taps.filter((tap) => tap.rules_count > 0).slice(0, VIEW_TAPS);
}

async function timeline(visit: Visit): Promise<Page> {
  const { api, query, now } = visit;
  const all = await api.ask<Tap[]>('GET', '/v1/taps');
  const taps = await tapsAsked(visit);
  const [tap] = query.get('tap') ? taps : [];
  const rules = tap === undefined ? [] : await api.ask<Rule[]>('GET', '/v1/rules', { token: tap.token });
  const asked = { tap: tap?.id, rule: rules.find(({ id }) => id === query.get('rule'))?.id };
  const before = numberIn(query, 'before');
  const tapIds = taps.filter((one) => one.rules_count > 0).map(({ id }) => id);
  const found = await visit.timeline.newest({ tapIds, ruleId: asked.rule, before, atMost: VIEW_MATCHES_A_PAGE });
  const { shown, next } = withinLength(found.matches, now, found.next);
  // A timeline of one rule, or of the past, does not move.
  const isLive = before === undefined && asked.rule === undefined && tapIds.length > 0;
  const title = tap?.name ?? 'Timeline';
  const live = isLive && address('/ui/live', { ...asked, since: now });
  return page(
    title,
    html`<div class="head">
        <h1>${name(title)}</h1>
        ${choice(all, asked)}
      </div>
      ${ruleLinks(rules, asked)} ${shown.length === 0 && nothing(all, before)} ${matchList(shown, live)}
      ${older(asked, next)}`,
  );
}

interface Asked {
  readonly tap: string | undefined;
  readonly rule: string | undefined;
}

function older(asked: Asked, next: number | undefined): Html | false {
  if (next === undefined) return false;
  return html`<p class="more"><a href="${address('/ui/', { ...asked, before: next })}" rel="next">Older</a></p>`;
}

/** `live`: where what comes is streamed from. */
function matchList(shown: readonly Html[], live: string | false): Html {
  return html`<p class="news"><button id="newer" hidden></button></p>
    <p id="said" class="hidden" role="status"></p>
    <div id="matches" class="matches" ${live && html` data-live="${live}"`}>${shown}</div>`;
}

/** A page is not longer than that, whatever the matches are. */
function withinLength(matches: readonly PastMatch[], now: number, next: number | undefined) {
  const shown: Html[] = [];
  let length = 0;
  for (const match of matches) {
    const item = matchItem(match, now);
    length += item.toString().length;
    // What has the time of the last one goes with it: the next page begins before that time.
    const last = matches[shown.length - 1]?.at;
    if (length > VIEW_PAGE_LENGTH && last !== undefined && last !== match.at) {
      return { shown, next: Date.parse(last) };
    }
    shown.push(item);
  }
  return { shown, next };
}

/** A match, as a page has it and as it comes live. `now`: what its time is told from. */
export function matchItem({ id, tapId, tap, at, url, title, tags, chunks }: PastMatch, now: number): Html {
  const labels = tags.map((tag) => html` <span class="tag">${clipped(tag, TAG_SHOWN)}</span>`);
  return html`<article class="match" id="m-${tapId}-${id}" data-item>
    <h2>${outwards(url, title)}</h2>
    <p class="about">
      ${timeOf(at, now)} · ${name(domainOf(url))} ·
      <a href="${address('/ui/', { tap: tapId })}">${name(tap)}</a>${labels}
    </p>
    ${chunksOf(chunks, VIEW_MATCH_LENGTH)}
  </article> `;
}

const TAG_SHOWN = 40;

function choice(taps: readonly Tap[], { tap: chosen }: Asked): Html | false {
  if (taps.length < 2) return false;
  const options = taps.map(({ id, name: called, status }) => {
    const label = status === 'paused' ? `${called} (paused)` : called;
    return html`<option value="${id}" ${id === chosen && html` selected`}>${clipped(label, 60)}</option>`;
  });
  return html`<form class="filter" action="/ui/">
    <label class="hidden" for="tap">Tap</label>
    <select id="tap" name="tap" data-submits>
      <option value="">All taps</option>
      ${options}
    </select>
    <button class="plain">Show</button>
  </form>`;
}

function ruleLinks(rules: readonly Rule[], { tap, rule: chosen }: Asked): Html | false {
  if (rules.length < 2) return false;
  const links = rules.slice(0, RULES_LINKED).map(({ id, tag, value }) => {
    const isHere = id === chosen;
    const to = address('/ui/', { tap, rule: isHere ? undefined : id });
    return html`<li>
      <a href="${to}" ${isHere && html` aria-current="true"`}>${clipped(tag ?? value, TAG_SHOWN)}</a>
    </li>`;
  });
  return html`<nav aria-label="Rules">
    <ul class="chips">
      ${links}
    </ul>
  </nav>`;
}

/** More than that are listed on the page of rules. */
const RULES_LINKED = 30;

function nothing(taps: readonly Tap[], before: number | undefined): Html {
  if (before !== undefined) return html`<p class="empty">There are no older matches.</p>`;
  const rules = taps.reduce((sum, { rules_count: some }) => sum + some, 0);
  if (rules > 0) {
    return html`<p class="empty">
      No match yet. ${count(rules, 'rule')} ${rules === 1 ? 'waits' : 'wait'} for the next change of a page.
    </p>`;
  }
  return html`<p class="empty">
    Nothing can match yet: there is no rule. <a href="/ui/rules">Add one</a>, and hydrant shows every change of a
    crawled page that it matches.
  </p>`;
}
