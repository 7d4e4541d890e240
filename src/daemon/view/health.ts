import { figures } from './crawl.ts';
import { html, type Html } from './html.ts';
import { page, type Page, type ViewRoute, type Visit } from './visit.ts';
import { bytesOf, clipped, lateness, name, outwards, timeOf } from './words.ts';
import type { SinkReport } from '../../shared/api/notify.ts';
import type { FailingUrl, Status } from '../../shared/api/status.ts';
import { grouped } from '../../shared/grouped.ts';
import { count } from '../../shared/text/plural.ts';

/** `/ui/health`: what is wrong, what is sent where, and what the daemon uses. */
export const healthRoutes: readonly ViewRoute[] = [{ method: 'GET', path: '/health', who: 'operator', run: health }];

async function health({ api, now }: Visit): Promise<Page> {
  const [status, sinks] = await Promise.all([
    api.ask<Status>('GET', '/admin/status'),
    api.ask<SinkReport[]>('GET', '/admin/sinks'),
  ]);
  const { watch, match, stream, crawl, memory_bytes: memory, disk } = status;
  const { log } = match;
  return page(
    'Health',
    html`<div class="head">
        <h1>Health</h1>
        <p class="sum">hydrant ${status.version} · started ${timeOf(status.started_at, now)}</p>
      </div>
      ${problems(status, now)}
      ${figures([
        ['Watches', `${grouped(watch.watches)}${watch.failing > 0 ? `, ${grouped(watch.failing)} failing` : ''}`],
        ['Checks late by', lateness(watch.late_ms.p50)],
        ['Crawl late by', lateness(crawl.oldest_due_ms)],
        ['Rules', grouped(match.rules)],
        ['Matches kept', grouped(match.events)],
        ...(log ? [['Log on disk', `${bytesOf(log.bytes)} of ${bytesOf(log.most_bytes)}`] as const] : []),
        ['Memory', bytesOf(memory)],
        ...(disk ? [['Disk', `${bytesOf(disk.free_bytes)} free of ${bytesOf(disk.total_bytes)}`] as const] : []),
        ['Open streams', grouped(stream.open)],
      ])}
      ${nodesSection(status.nodes ?? [])} ${sinksSection(sinks, now)} ${failingSection(crawl.failing ?? [], now)}
      <p class="about">${status.data_dir}</p>`,
  );
}

function problems({ problems: found, refused_rules: refused = [] }: Status, now: number): Html {
  if (found.length + refused.length === 0) return html`<p class="good">Nothing is wrong.</p>`;
  const rows = found.map(({ at, message, count: times = 1 }) => {
    return html`<li data-item>
      ${clipped(message, 300)}
      <p class="about">${timeOf(at, now)}${times > 1 && html` · ${grouped(times)} times`}</p>
    </li> `;
  });
  const rules = refused.map(({ id, tap, why }) => {
    return html`<li data-item>
      The rule ${id} of ${name(tap)} matches nothing
      <p class="about">${why}</p>
    </li> `;
  });
  return html`<section aria-labelledby="problems-title">
    <h2 id="problems-title">Problems</h2>
    <ul class="rows">
      ${rules}${rows}
    </ul>
  </section>`;
}

/** The daemons that share the database, where several may. */
function nodesSection(nodes: NonNullable<Status['nodes']>): Html | false {
  if (nodes.length === 0) return false;
  const rows = nodes.map(({ name: called, is_live: isLive, is_this: isThis, silent_ms: silent }) => {
    return html`<li class="${isLive ? '' : 'failing'}" data-item>
      <span class="what">${name(called)}</span>
      <p class="about">${isThis && 'this one · '}${isLive ? 'running' : `not heard of for ${lateness(silent)}`}</p>
    </li> `;
  });
  return html`<section aria-labelledby="nodes-title">
    <h2 id="nodes-title">Nodes</h2>
    <ul class="rows">
      ${rows}
    </ul>
  </section>`;
}

function sinksSection(sinks: readonly SinkReport[], now: number): Html {
  return html`<section aria-labelledby="sinks-title">
    <h2 id="sinks-title">Notifications</h2>
    ${sinks.length === 0 && html`<p class="empty">Nothing is sent anywhere. To be notified of matches and changes: hydrant notify add --help</p>`}
    <ul class="rows">
      ${sinks.map((sink) => sinkRow(sink, now))}
    </ul>
  </section>`;
}

function sinkRow(sink: SinkReport, now: number): Html {
  const {
    name: called,
    kind,
    target,
    state,
    counts,
    last_delivery_at: last,
    last_error: error,
    failing_since: failing,
  } = sink;
  const told = [
    state === 'active' ? '' : `${state} · `,
    `${kind} · ${grouped(counts.sent)} sent`,
    counts.behind > 0 ? ` · ${grouped(counts.behind)} waiting` : '',
    counts.parked > 0 ? ` · ${grouped(counts.parked)} parked` : '',
    counts.dropped > 0 ? ` · ${grouped(counts.dropped)} dropped` : '',
  ].join('');
  return html`<li class="${failing ? 'failing' : ''}" data-item>
    <span class="what">${name(called)}</span>
    <p class="about">${told}${last && html` · last ${timeOf(last, now)}`} · ${clipped(target, 100)}</p>
    ${failing && error && html`<p class="bad">failing since ${timeOf(failing, now)}: ${clipped(error.detail, 200)}</p>`}
  </li> `;
}

function failingSection(failing: readonly FailingUrl[], now: number): Html | false {
  if (failing.length === 0) return false;
  const rows = failing.slice(0, FAILING).map(({ kind, url, reason, failures, detail, last_visit_at: at }) => {
    return html`<li data-item>
      ${outwards(url)}
      <p class="about">
        ${kind} · ${count(failures, 'failure')} in a row · ${timeOf(at, now)} · ${clipped(detail ?? reason, 200)}
      </p>
    </li> `;
  });
  return html`<section aria-labelledby="failing-title">
    <h2 id="failing-title">Cannot be had</h2>
    <ul class="rows">
      ${rows}
    </ul>
  </section>`;
}

const FAILING = 50;
