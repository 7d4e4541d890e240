import { Refusal } from './api.ts';
import { Fields, type FormState, linesOf } from './form.ts';
import { html, type Html } from './html.ts';
import { page, type Page, redirect, type Redirect, type ViewRoute, type Visit } from './visit.ts';
import { pathOf } from './watch.ts';
import type { ListedWatch } from './watches.ts';
import { everyOf } from './words.ts';
import type { WatchReport } from '../../shared/api/watch.ts';
import { NO_OPTIONS } from '../../shared/api/watch-values.ts';
import { WATCH_FREQUENCIES } from '../../shared/limits.ts';

/** The forms that add and edit a watch. A key may say which address and how often; the rest is the operator's to say. */
export const watchFormRoutes: readonly ViewRoute[] = [
  { method: 'GET', path: '/watches/new', who: 'member', run: async (visit) => newForm(visit, { values: STANDARD }) },
  { method: 'POST', path: '/watches', who: 'member', run: add },
  { method: 'GET', path: '/watches/:id/edit', who: 'member', run: editForm },
  { method: 'POST', path: '/watches/:id/edit', who: 'member', run: edit },
];

const STANDARD = new URLSearchParams({ frequency_minutes: '180' });

function newForm({ isOperator }: Visit, state: FormState): Page {
  const fields = new Fields(state);
  const body = html`<h1>Add a watch</h1>
    <form method="post" action="/ui/watches" class="form">
      ${fields.text({ name: 'url', label: 'Address', type: 'url', required: true })} ${terms(fields, isOperator)}
      ${fields.rest()}
      <div class="actions"><button>Watch it</button> <a class="button plain" href="/ui/watches">Cancel</a></div>
    </form>`;
  return page('Add a watch', body, state.refusal?.status);
}

function terms(fields: Fields, isOperator: boolean): Html {
  const frequencies = WATCH_FREQUENCIES.map((minutes) => [String(minutes), `every ${everyOf(minutes)}`] as const);
  const every = fields.choice({ name: 'frequency_minutes', label: 'Checked' }, frequencies);
  if (!isOperator) return every;
  return html`${fields.text({ name: 'title', label: 'Title', hint: 'What it is called; without one, its address.' })}
    ${fields.text({ name: 'tags', label: 'Tags', hint: 'Separated by commas.' })} ${every}
    <fieldset>
      <legend>What counts</legend>
      ${fields.area({ name: 'select', label: 'Only these elements', hint: 'CSS selectors, one on each line. None: the page as hydrant reads it.' })}
      ${fields.area({ name: 'ignore', label: 'But not these', hint: 'CSS selectors, or /expressions/ of lines that are left out; one on each line.' })}
      ${fields.choice({ name: 'only', label: 'A change counts by' }, [
        ['', 'what came and what went'],
        ['added', 'what came'],
        ['removed', 'what went'],
      ])}
      ${fields.area({ name: 'trigger', label: 'And only if it matches', hint: 'A query, such as title:ferry OR "sold out".', rows: 2 })}
      ${fields.check({ name: 'confirm', label: 'Look a second time', hint: 'A change is believed when a check a minute later still finds it.' })}
    </fieldset>`;
}

async function add(visit: Visit): Promise<Page | Redirect> {
  const { api, form, isOperator } = visit;
  const url = (form.get('url') ?? '').trim();
  return withForm(
    async () => {
      const path = isOperator ? '/admin/watches' : '/v1/url-watch';
      const { id } = await api.ask<ListedWatch>('POST', path, { body: { url, ...termsOf(visit) } });
      return redirect(`/ui/watches/${id}`);
    },
    async (refusal) => newForm(visit, { values: form, refusal }),
  );
}

async function editForm(visit: Visit): Promise<Page> {
  const watch = await visit.api.ask<WatchReport>('GET', pathOf(visit, visit.params['id'] ?? ''));
  return formOf(visit, watch, { values: valuesOf(watch) });
}

function formOf({ isOperator }: Visit, { id, url, title }: ListedWatch, state: FormState): Page {
  const fields = new Fields(state);
  const body = html`<h1>Edit a watch</h1>
    <p class="about">${url}</p>
    <form method="post" action="/ui/watches/${id}/edit" class="form">
      ${terms(fields, isOperator)} ${fields.rest()}
      <div class="actions"><button>Save</button> <a class="button plain" href="/ui/watches/${id}">Cancel</a></div>
    </form>`;
  return page(`Edit ${title ?? url}`, body, state.refusal?.status);
}

async function edit(visit: Visit): Promise<Page | Redirect> {
  const { api, form, params, isOperator } = visit;
  const { id = '' } = params;
  return withForm(
    async () => {
      await api.ask(isOperator ? 'PATCH' : 'PUT', pathOf(visit, id), { body: termsOf(visit) });
      return redirect(`/ui/watches/${encodeURIComponent(id)}`);
    },
    async (refusal) => formOf(visit, await api.ask<ListedWatch>('GET', pathOf(visit, id)), { values: form, refusal }),
  );
}

/** What the API says of a form is shown in it; what is wrong with the request itself is not the form's. */
export async function withForm(
  send: () => Promise<Redirect>,
  show: (refusal: Refusal) => Promise<Page>,
): Promise<Page | Redirect> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 401 || error.status === 404) throw error;
    return show(error);
  }
}

/** As the API takes them. Empty fields are none. */
function termsOf({ form, isOperator }: Visit): object {
  const text = (field: string): string => form.get(field) ?? '';
  const frequency = { frequency_minutes: Number(text('frequency_minutes')) };
  if (!isOperator) return frequency;
  const tags = text('tags')
    .split(',')
    .map((tag) => tag.trim());
  return {
    ...frequency,
    title: text('title').trim(),
    tags: tags.filter((tag) => tag !== ''),
    options: {
      select: linesOf(text('select')),
      ignore: linesOf(text('ignore')),
      only: text('only') === '' ? null : text('only'),
      trigger: text('trigger').trim() === '' ? null : text('trigger').trim(),
      confirm: form.has('confirm'),
    },
  };
}

function valuesOf({ title = '', tags = [], frequency_minutes, options = NO_OPTIONS }: ListedWatch): URLSearchParams {
  const { select, ignore, only, trigger, confirm } = options;
  return new URLSearchParams({
    title,
    tags: tags.join(', '),
    frequency_minutes: String(frequency_minutes),
    select: select.join('\n'),
    ignore: ignore.join('\n'),
    only: only ?? '',
    trigger: trigger ?? '',
    ...(confirm && { confirm: 'on' }),
  });
}
