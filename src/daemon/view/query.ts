import { Refusal } from './api.ts';
import { changeOf, chunksOf } from './change.ts';
import { Fields, type FormState } from './form.ts';
import { html, type Html, verbatim } from './html.ts';
import { corrected, placedIn } from './query-report.ts';
import { page, type Page, type ViewRoute, type Visit } from './visit.ts';
import { address, name, outwards, timeOf } from './words.ts';
import type { PageChangeReport } from '../../shared/api/crawl.ts';
import type { Diagnostic, ValidationResult } from '../../shared/api/diagnostic.ts';
import type { RuleTrialAnswer, TrialMatch } from '../../shared/api/rule.ts';
import { WITHHELD_REASONS, type Withheld } from '../../shared/api/rule-report.ts';
import type { Tap } from '../../shared/api/tap.ts';
import { VIEW_MATCH_LENGTH } from '../../shared/limits.ts';
import { grouped } from '../../shared/grouped.ts';
import { domainOf } from '../../shared/text/printable.ts';
import { count } from '../../shared/text/plural.ts';

/** `/ui/query`: what is wrong with a query, and what it would have matched. */
export const queryRoutes: readonly ViewRoute[] = [
  { method: 'GET', path: '/query', who: 'member', run: async (visit) => screen(visit, { values: begun(visit.query) }) },
  { method: 'POST', path: '/query', who: 'member', run: tryQuery },
];

function begun(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams({ value: query.get('value') ?? '', url: query.get('url') ?? '', quality: 'on' });
}

interface Answered extends FormState {
  readonly answer?: Html;
  readonly diagnostics?: readonly Diagnostic[];
}

function screen({ isOperator }: Visit, { values, refusal, answer, diagnostics = [] }: Answered): Page {
  const fields = new Fields({ values, refusal });
  const query = values.get('value') ?? '';
  const found = refusal?.problem.diagnostics ?? diagnostics;
  return page(
    'Query',
    html`<div class="head"><h1>Query</h1></div>
      <form method="post" action="/ui/query" class="form">
        ${fields.area({ name: 'value', label: 'Query', hint: 'Such as title:ferry AND "sold out", or NOT domain:example.com.', rows: 3 })}
        ${
          isOperator &&
          html`${fields.text({ name: 'url', label: 'Of one page', type: 'url', hint: 'The last change of a page that the crawl visits. Without one: all changes of the last day.' })}
          ${fields.check({ name: 'quality', label: 'Only news', hint: 'As a rule does without being told: pages of the last 7 days with a date, and no index pages.' })}`
        }
        <div class="actions"><button>${isOperator ? 'Try it' : 'Check it'}</button></div>
        ${fields.rest()}
      </form>
      ${fixes(values, query, found)} ${refusal === undefined && diagnostics.length > 0 && placedIn(query, diagnostics)}
      ${answer && html`<section aria-label="What it matches" class="answer">${answer}</section>`}`,
    refusal?.status,
  );
}

/** The query as each hint would have it, ready to be sent. */
function fixes(values: URLSearchParams, query: string, found: readonly Diagnostic[]): Html | false {
  const all = found.flatMap((one) => corrected(query, one) ?? []);
  const others = [...values].filter(([field]) => field !== 'value');
  const shown = [...new Set(all)].slice(0, FIXES).map((fixed) => {
    const rest = others.map(
      ([field, value]) => html`<input type="hidden" name="${field}" value="${verbatim(value)}" />`,
    );
    return html`<li>
      <form method="post" action="/ui/query">
        ${rest}<input type="hidden" name="value" value="${verbatim(fixed)}" /> <button class="plain">Use</button>
        <code>${fixed}</code>
      </form>
    </li>`;
  });
  return (
    shown.length > 0 &&
    html`<section aria-label="What was probably meant">
      <ul class="fixes">
        ${shown}
      </ul>
    </section>`
  );
}

const FIXES = 5;

async function tryQuery(visit: Visit): Promise<Page> {
  const { form } = visit;
  const values = new URLSearchParams([...form].filter(([field]) => field !== 'value'));
  values.set('value', (form.get('value') ?? '').replaceAll('\r\n', '\n').trim());
  try {
    return screen(visit, { values, ...(await answerTo(visit, values)) });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 401) throw error;
    return screen(visit, { values, refusal: error });
  }
}

async function answerTo(visit: Visit, values: URLSearchParams): Promise<Pick<Answered, 'answer' | 'diagnostics'>> {
  if (!visit.isOperator) return validated(visit, values);
  const [value, url] = [values.get('value') ?? '', (values.get('url') ?? '').trim()];
  if (url !== '') {
    const path = address('/admin/urls/change', { url, value });
    return { answer: onePage(await visit.api.ask<PageChangeReport>('GET', path), visit.now) };
  }
  const body = { value, quality: values.has('quality'), limit: SHOWN };
  const { data, diagnostics = [] } = await visit.api.answer<RuleTrialAnswer>('POST', '/admin/rules/try', { body });
  return { answer: lastDay(data, visit.now), diagnostics };
}

const SHOWN = 20;

/** A key may check a query; the changes of the crawl are the operator's. */
async function validated({ api }: Visit, values: URLSearchParams): Promise<Pick<Answered, 'answer' | 'diagnostics'>> {
  const [tap] = await api.ask<Tap[]>('GET', '/v1/taps');
  const path = tap === undefined ? '/v1/validate/public' : '/v1/validate';
  const request = { body: { query: values.get('value') ?? '' }, ...(tap && { token: tap.token }) };
  const { valid, diagnostics, compiled } = await api.answer<ValidationResult>('POST', path, request);
  const understood = compiled && html`<p>It is understood as <code>${compiled.lucene}</code></p>`;
  return { diagnostics, answer: valid && understood ? understood : html`<p>The query is not valid.</p>` };
}

function lastDay(trial: RuleTrialAnswer['data'], now: number): Html {
  if (!trial.kept) return html`<p>This daemon keeps no changes: the setting recent-bytes is 0.</p>`;
  const { matches, pages, domains, changes, newest, complete } = trial;
  const withheld = WITHHELD_REASONS.filter((reason) => trial.withheld[reason] > 0);
  const left = withheld.map((reason) => `${grouped(trial.withheld[reason])} ${WITHHELD[reason]}`).join(', ');
  return html`<h2>${count(matches, 'match')} in the last day</h2>
    <p class="about">
      ${count(changes, 'change')} looked at${!complete && html`, the newest; time was up before all were`} ·
      ${count(pages, 'page')} of ${count(domains, 'domain')}
    </p>
    ${left !== '' && html`<p class="about">Kept back: ${left}</p>`}
    <div class="matches">${newest.map((match) => trialItem(match, now))}</div>`;
}

const WITHHELD: Readonly<Record<Withheld, string>> = {
  no_date: 'without a date',
  too_old: 'older than 7 days',
  future_date: 'with a date in the future',
  url: 'index pages',
  adult: 'adult pages',
};

function trialItem({ matched_at, document: { url, title, diff } }: TrialMatch, now: number): Html {
  return html`<article class="match" data-item>
    <h2>${outwards(url, title ?? url)}</h2>
    <p class="about">${timeOf(matched_at, now)} · ${name(domainOf(url))}</p>
    ${chunksOf(diff?.chunks ?? [], VIEW_MATCH_LENGTH)}
  </article>`;
}

function onePage({ url, kept, changed_at: at, change, query }: PageChangeReport, now: number): Html {
  if (!kept) return html`<p>This daemon keeps no changes: the setting recent-bytes is 0.</p>`;
  if (change === null)
    return html`<p>No change of ${outwards(url)} is kept${at !== null && html`; it changed ${timeOf(at, now)}`}.</p>`;
  const reason = query?.reason;
  const verdict =
    query?.outcome === 'matched'
      ? html`<h2 class="good">It matches</h2>`
      : html`<h2>
          ${query?.outcome === 'filtered' ? `It fits, and is kept back: ${reason ? WITHHELD[reason] : ''}` : 'It does not match'}
        </h2>`;
  return html`${verdict}
    <p class="about">the change of ${outwards(change.url, change.title ?? change.url)}, ${timeOf(change.at, now)}</p>
    ${change.chunks.length > 0 ? chunksOf(change.chunks, VIEW_MATCH_LENGTH * 4) : changeOf([], 'words')}`;
}
