import { type Api, pathTo } from './api.ts';
import { Fields, type FormState } from './form.ts';
import { html, type Html } from './html.ts';
import { page, type Page, redirect, type Redirect, type ViewRoute, type Visit } from './visit.ts';
import { withForm } from './watch-form.ts';
import { address, clipped, name, timeOf } from './words.ts';
import type { Rule } from '../../shared/api/rule.ts';
import type { RuleReport } from '../../shared/api/rule-report.ts';
import type { Tap } from '../../shared/api/tap.ts';
import { VIEW_TAPS } from '../../shared/limits.ts';
import { count } from '../../shared/text/plural.ts';

/** `/ui/rules`: the rules of each tap, and the forms that add and edit them. */
export const rulesRoutes: readonly ViewRoute[] = [
  { method: 'GET', path: '/rules', who: 'member', run: rules },
  { method: 'POST', path: '/taps', who: 'member', run: addTap },
  { method: 'GET', path: '/taps/:tap/rules/new', who: 'member', run: newForm },
  { method: 'POST', path: '/taps/:tap/rules', who: 'member', run: add },
  { method: 'GET', path: '/taps/:tap/rules/:id', who: 'member', run: editForm },
  { method: 'POST', path: '/taps/:tap/rules/:id', who: 'member', run: edit },
  { method: 'POST', path: '/taps/:tap/rules/:id/remove', who: 'member', run: remove },
];

async function rules(visit: Visit): Promise<Page> {
  return listed(visit, { values: new URLSearchParams() });
}

async function listed({ api, isOperator, now }: Visit, state: FormState): Promise<Page> {
  const taps = await api.ask<Tap[]>('GET', '/v1/taps');
  const shown = taps.slice(0, VIEW_TAPS);
  const byTap = await Promise.all(shown.map(({ token }) => api.ask<Rule[]>('GET', '/v1/rules', { token })));
  const reports = isOperator ? await api.ask<RuleReport[]>('GET', '/admin/rules') : [];
  const byRule = new Map(reports.map((report) => [report.rule_id, report]));
  const fields = new Fields(state);
  return page(
    'Rules',
    html`<div class="head"><h1>Rules</h1></div>
      ${taps.length === 0 && html`<p class="empty">Rules belong to a tap, which is a stream of what they match. Make one first.</p>`}
      ${shown.map((tap, index) => section(tap, byTap[index] ?? [], { byRule, now }))}
      <form method="post" action="/ui/taps" class="form inline">
        ${fields.text({ name: 'name', label: 'New tap', required: true })}
        <button class="plain">Make it</button>
        ${fields.rest()}
      </form>`,
    state.refusal?.status,
  );
}

interface Reports {
  readonly byRule: ReadonlyMap<string, RuleReport>;
  readonly now: number;
}

function section(tap: Tap, own: readonly Rule[], reports: Reports): Html {
  const title = `tap-${tap.id}`;
  return html`<section aria-labelledby="${title}">
    <div class="head">
      <h2 id="${title}"><a href="${address('/ui/', { tap: tap.id })}">${name(tap.name)}</a></h2>
      <p class="sum">${count(own.length, 'rule')}${tap.status === 'paused' && html` · paused`}</p>
      <a class="button plain" href="/ui/taps/${tap.id}/rules/new"
        >Add a rule<span class="hidden"> to ${tap.name}</span></a
      >
    </div>
    <ul class="rows">
      ${own.slice(0, RULES_SHOWN).map((rule) => row(tap, rule, reports))}
    </ul>
    ${own.length > RULES_SHOWN && html`<p class="empty">and ${count(own.length - RULES_SHOWN, 'more rule')}: hydrant rule list</p>`}
  </section>`;
}

/** Of each tap. */
const RULES_SHOWN = 200;

function row(tap: Tap, { id, tag, value }: Rule, { byRule, now }: Reports): Html {
  const report = byRule.get(id);
  const last = report?.last_match_at;
  const told =
    report &&
    html`<p class="about">
      ${report.paused && html`paused · `}${count(report.matches, 'match')} in 24
      h${last && html` · last ${timeOf(last, now)}`}
    </p>`;
  return html`<li data-item>
    <a class="what" href="/ui/taps/${tap.id}/rules/${id}">${name(tag ?? clipped(value, 120))}</a>
    ${tag !== undefined && html`<p class="about"><code>${clipped(value, 200)}</code></p>`}${told}${
      report?.refused !== undefined && html`<p class="bad">${report.refused}</p>`
    }
  </li> `;
}

async function addTap(visit: Visit): Promise<Page | Redirect> {
  const { api, form } = visit;
  return withForm(
    async () => {
      await api.answer('POST', '/v1/taps', { body: { name: form.get('name') ?? '' } });
      return redirect('/ui/rules');
    },
    async (refusal) => listed(visit, { values: form, refusal }),
  );
}

function tapOf(api: Api, { tap = '' }: Visit['params']): Promise<Tap> {
  return api.ask<Tap>('GET', pathTo('/v1/taps/:', tap));
}

async function newForm({ api, params, query }: Visit): Promise<Page> {
  const values = new URLSearchParams({ value: query.get('value') ?? '', quality: 'on' });
  return formOf(await tapOf(api, params), undefined, { values });
}

async function editForm({ api, params }: Visit): Promise<Page> {
  const tap = await tapOf(api, params);
  const rule = await ruleOf(api, tap, params);
  const values = new URLSearchParams({
    value: rule.value,
    tag: rule.tag ?? '',
    ...(rule.quality && { quality: 'on' }),
    ...(rule.nsfw && { nsfw: 'on' }),
  });
  return formOf(tap, rule, { values });
}

function ruleOf(api: Api, { token }: Tap, { id = '' }: Visit['params']): Promise<Rule> {
  return api.ask<Rule>('GET', pathTo('/v1/rules/:', id), { token });
}

function formOf(tap: Tap, rule: Rule | undefined, state: FormState): Page {
  const fields = new Fields(state);
  const title = rule === undefined ? 'Add a rule' : 'Edit a rule';
  const action = rule === undefined ? `/ui/taps/${tap.id}/rules` : `/ui/taps/${tap.id}/rules/${rule.id}`;
  const query = state.values.get('value') ?? '';
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="about">of the tap ${name(tap.name)}</p>
      <form method="post" action="${action}" class="form">
        ${fields.area({ name: 'value', label: 'Query', hint: 'Such as title:ferry AND language:en.', rows: 4 })}
        ${fields.text({ name: 'tag', label: 'Tag', hint: 'What it is called in the timeline.' })}
        ${fields.check({ name: 'quality', label: 'Only news', hint: 'Pages of the last 7 days with a date, and no index pages.' })}
        ${fields.check({ name: 'nsfw', label: 'Adult pages too' })} ${fields.rest()}
        <div class="actions"><button>Save</button> <a class="button plain" href="/ui/rules">Cancel</a></div>
      </form>
      ${
        rule &&
        html`<div class="actions">
          <a class="button plain" href="${address('/ui/query', { value: query })}">Try it</a>
          <form method="post" action="${action}/remove"><button class="danger">Remove the rule</button></form>
        </div>`
      }`,
    state.refusal?.status,
  );
}

async function add(visit: Visit): Promise<Page | Redirect> {
  const { api, form, params } = visit;
  const tap = await tapOf(api, params);
  return withForm(
    async () => {
      await api.answer('POST', '/v1/rules', { token: tap.token, body: termsOf(form) });
      return redirect('/ui/rules');
    },
    async (refusal) => formOf(tap, undefined, { values: form, refusal }),
  );
}

async function edit(visit: Visit): Promise<Page | Redirect> {
  const { api, form, params } = visit;
  const tap = await tapOf(api, params);
  const rule = await ruleOf(api, tap, params);
  return withForm(
    async () => {
      await api.answer('PUT', pathTo('/v1/rules/:', rule.id), { token: tap.token, body: termsOf(form) });
      return redirect('/ui/rules');
    },
    async (refusal) => formOf(tap, rule, { values: form, refusal }),
  );
}

async function remove({ api, params }: Visit): Promise<Redirect> {
  const { token } = await tapOf(api, params);
  await api.answer('DELETE', pathTo('/v1/rules/:', params['id'] ?? ''), { token });
  return redirect('/ui/rules');
}

function termsOf(form: URLSearchParams): object {
  const tag = (form.get('tag') ?? '').trim();
  // A browser sends CR LF; a query is one line to whoever reads it elsewhere.
  const value = (form.get('value') ?? '').replaceAll('\r\n', '\n').trim();
  return { value, tag: tag === '' ? null : tag, quality: form.has('quality'), nsfw: form.has('nsfw') };
}
