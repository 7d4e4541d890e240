import { type Static, Type } from 'typebox';
import { URL_LENGTH, WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS, WATCHES_A_REQUEST } from '../limits.ts';
import type { ReadingAccount, UncountedDifference } from '../page/account.ts';
import { RequestChange, type RequestReport } from './own-request.ts';
import { RenderOptions } from './render.ts';
import type { WatchLabels } from './watch-labels.ts';
import type { CheckNote } from './watch-values.ts';

/** A watched URL on the wire (spec: Resources, URL watch subscription). */
export const Watch = Type.Object(
  {
    id: Type.String({ description: 'UUID' }),
    url: Type.String({ description: 'as it was given' }),
    frequency_minutes: Type.Integer(),
    status: Type.Union([Type.Literal('active'), Type.Literal('paused')]),
    change_count: Type.Integer({ description: 'crawls so far that recorded a change' }),
    last_checked_at: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ description: '2026-02-27T00:00:00+00:00' }),
  },
  { title: 'Watch' },
);
export type Watch = Static<typeof Watch>;

/** Which frequencies there are is for the room to say: its refusal names them. */
export const WatchCreation = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: URL_LENGTH }), frequency_minutes: Type.Integer() },
  { examples: [{ url: 'https://example.org/pricing', frequency_minutes: 180 }] },
);
export type WatchCreation = Static<typeof WatchCreation>;

export const WatchChange = Type.Object(
  {
    frequency_minutes: Type.Optional(Type.Integer()),
    status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('paused')])),
  },
  { examples: [{ status: 'paused' }] },
);
export type WatchChange = Static<typeof WatchChange>;

const Lines = Type.Array(Type.String());
const Block = Type.Object({
  ctx: Type.Optional(Lines),
  del: Type.Optional(Lines),
  ins: Type.Optional(Lines),
});
/** The current form of a diff, and the flat one of older entries (spec, Versioning 3). */
export const WatchDiff = Type.Union([
  Type.Object({ hunks: Type.Array(Type.Array(Block)) }),
  Type.Object({
    chunks: Type.Array(
      Type.Object({ typ: Type.Union([Type.Literal('ins'), Type.Literal('del')]), text: Type.String() }),
    ),
  }),
]);
export type WatchDiff = Static<typeof WatchDiff>;

/** One crawl of a watch (spec: Resources, Crawl entry). */
export const CrawlEntry = Type.Object(
  {
    diff: Type.Union([WatchDiff, Type.Null()]),
    has_changes: Type.Boolean(),
    created_at: Type.String(),
  },
  { title: 'CrawlEntry' },
);
export type CrawlEntry = Static<typeof CrawlEntry>;

/** What of a page is watched, and which changes count. All of it is the operator's to say; none of it is in `Watch`. */
export const WatchOptions = Type.Object({
  /** CSS selectors; only what they select is watched, in the order of the page. None: the page as hydrant reads it. */
  select: Type.Array(Type.String({ minLength: 1, maxLength: WATCH_OPTION_LENGTH }), { maxItems: WATCH_SELECTORS }),
  /** CSS selectors of what is left out, and `/expressions/` (RE2 syntax): lines that one matches are left out. */
  ignore: Type.Array(Type.String({ minLength: 1, maxLength: WATCH_OPTION_LENGTH }), { maxItems: WATCH_IGNORES }),
  /** A change counts only by what came, or only by what went; null: by both. */
  only: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Null()]),
  /** A query of the rule language: a change counts if it matches; null: every change. */
  trigger: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  /** A change is believed when a second check, a minute later, still finds it. */
  confirm: Type.Boolean(),
  /** Absent or null: it is read as its server sends it. */
  render: Type.Optional(Type.Union([RenderOptions, Type.Null()])),
});
export type WatchOptions = Static<typeof WatchOptions>;

/**
 * `WatchLabels` as they are given; `watch-labels.ts` says which are refused, so that a wrong one in a batch keeps none of
 * the others out. An empty title, or null, is none.
 */
const labels = {
  title: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tags: Type.Optional(Type.Array(Type.String())),
};

/** The operator's `POST /admin/watches`. What is absent of the options is as in `NO_OPTIONS`. */
export const WatchOrder = Type.Object({
  ...WatchCreation.properties,
  ...labels,
  /** Absent: `active`. A paused one is not checked before it is resumed. */
  status: WatchChange.properties.status,
  options: Type.Optional(Type.Partial(WatchOptions)),
  request: Type.Optional(RequestChange),
});
export type WatchOrder = Static<typeof WatchOrder>;

/** `POST /admin/watches/batch`. One that is refused keeps none of the others out. */
export const WatchBatch = Type.Object({
  watches: Type.Array(
    Type.Object({
      url: Type.String(),
      frequency_minutes: Type.Integer(),
      ...labels,
      status: WatchChange.properties.status,
      options: Type.Optional(Type.Partial(WatchOptions)),
      request: Type.Optional(RequestChange),
    }),
    { minItems: 1, maxItems: WATCHES_A_REQUEST },
  ),
});
export type WatchBatch = Static<typeof WatchBatch>;

/** `index` counts from 0 in the order of the request. `known`: watched already, by the caller or a teammate. */
export interface WatchBatchReport {
  readonly added: readonly WatchReport[];
  readonly known: readonly { readonly index: number; readonly url: string; readonly message: string }[];
  readonly refused: readonly { readonly index: number; readonly url: string; readonly message: string }[];
}

/** The operator's `PATCH /admin/watches/:id`: what is absent stays as it is; `tags` replaces all of them. */
export const WatchEdit = Type.Object({
  ...WatchChange.properties,
  ...labels,
  options: Type.Optional(Type.Partial(WatchOptions)),
  request: Type.Optional(RequestChange),
});
export type WatchEdit = Static<typeof WatchEdit>;

/** A watch as its operator sees it: `GET /admin/watches`, `/admin/watches/:id`. */
export interface WatchReport extends Watch, WatchLabels {
  /** The name of the member whose watch it is. */
  readonly member: string;
  readonly options: WatchOptions;
  /** How its page is asked for; absent: as the crawl asks. */
  readonly request?: RequestReport;
  /** Minutes between two checks as the plan allows them now; more than `frequency_minutes` after a change of plan. */
  readonly effective_minutes: number;
  /** Null when it is paused or held. In the past: it is about to be checked, or its host rests. */
  readonly next_check_at: string | null;
  /** `quota`: the organization's checks of this month are used up. */
  readonly held: 'quota' | null;
  readonly checks: number;
  readonly last_success_at: string | null;
  /** The newest change, by the number of its check, and how many changes there are after the one last seen. */
  readonly last_change: { readonly n: number; readonly at: string } | null;
  readonly unseen: number;
  /** The newest check, if it failed. `since`: the first failure in a row of `failures`. */
  readonly problem: WatchProblem | null;
}

export interface WatchProblem {
  /** A word: `dns`, `tls`, `timeout`, `http_4xx`, `http_5xx`, `challenge`, `robots`, `too_large`, `private_address`, … */
  readonly reason: string;
  readonly detail: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  readonly since: string;
  readonly failures: number;
}

/** `POST /admin/watches/:id/check`. */
export interface CheckOrder {
  readonly due_at: string;
  /** Checks so far. */
  readonly checks?: number;
  /** One has begun before: it is the next in number, and not the one that was asked for. */
  readonly under_way?: boolean;
}

/**
 * `GET /admin/watches/:id/checks?before=&limit=&changes=true`: newest first, those with a number below `before`.
 * `n` counts the checks of a watch from 1 and never comes twice.
 */
export interface CheckReport {
  readonly n: number;
  readonly at: string;
  readonly outcome: 'baseline' | 'changed' | 'unchanged' | 'failed';
  readonly note?: CheckNote;
  readonly reason?: string;
  readonly detail?: string;
  readonly status?: number;
  /** Failures in a row that ended with this check. */
  readonly recovered?: number;
  /** Lines that came and went; only when it changed. */
  readonly lines?: { readonly inserted: number; readonly deleted: number };
}

/** `GET /admin/watches/:id/checks/:n`. */
export interface CheckDetail extends CheckReport {
  /** Only when it changed. An entry of the older format has `chunks`, and no places. */
  readonly hunks?: readonly PlacedHunk[];
  readonly chunks?: readonly { readonly typ: 'ins' | 'del'; readonly text: string }[];
}

/** A hunk with the lines (from 1) on which it begins in the old and in the new text, as a unified diff has them. */
export interface PlacedHunk {
  readonly before: number;
  readonly after: number;
  readonly blocks: readonly {
    readonly ctx?: readonly string[];
    readonly del?: readonly string[];
    readonly ins?: readonly string[];
  }[];
  /** In the last hunk, which has no blocks: links that lead elsewhere under the same text. They are no lines of a text. */
  readonly links?: readonly { readonly text: string; readonly before: string; readonly after: string }[];
}

/** `GET /admin/watches/:id/versions/:n`: the text as check `n` left it. `n` of the answer: the check that brought it. */
export interface WatchVersion {
  readonly n: number;
  readonly at: string;
  readonly lines: readonly string[];
}

/** `GET /admin/watches/:id/comparison?from=N&to=M`: two versions against each other, as a check would compare them. */
export interface WatchComparison {
  readonly from: WatchVersion;
  readonly to: WatchVersion;
  readonly hunks: readonly PlacedHunk[];
}

/** `GET /admin/watches/:id/explanation`: the newest check whose page was read, step by step. */
export interface WatchExplanation {
  readonly check: CheckReport;
  readonly request: { readonly conditional: boolean };
  /** Undefined where there was no answer. */
  readonly answer?: {
    readonly status: number;
    readonly url: string;
    readonly content_type: string;
    readonly bytes: number;
  };
  readonly findings?: WatchFindings;
}

/** What reading and comparing a page came to. */
export interface WatchFindings {
  readonly title?: string;
  /** Elements that each selector of `select` and `ignore`, and lines that each expression of `ignore`, has found. */
  readonly selected: readonly { readonly selector: string; readonly found: number }[];
  readonly ignored: readonly { readonly pattern: string; readonly found: number }[];
  readonly lines: number;
  readonly inserted: number;
  readonly deleted: number;
  /** Pairs of lines that differ and do not count, with the reason; 20 at most. */
  readonly noise: readonly { readonly before: string; readonly after: string; readonly reason: string }[];
  /** Whether the query of `trigger` matched; undefined without one, or without a change. */
  readonly triggered?: boolean;
  /** What was read and what was left out. */
  readonly account?: ReadingAccount;
  /** Of a check that found nothing that counts: where the page differs all the same. */
  readonly differs?: readonly UncountedDifference[];
}

/**
 * `GET /admin/watch-changes?after=&limit=&wait=&newest=true`: changes of all watches of the organization, oldest first.
 * `wait`: seconds, 25 at most.
 */
export interface WatchNews {
  readonly changes: readonly WatchNewsItem[];
  /** What to give as `after` to go on. */
  readonly cursor: number;
  /** Whose changes these are; an older daemon does not say. */
  readonly organization_id?: string;
}

export interface WatchNewsItem {
  readonly cursor: number;
  /** With its labels as they are now. */
  readonly watch: Pick<Watch, 'id' | 'url'> & WatchLabels;
  /** Of the page. */
  readonly title?: string;
  readonly check: CheckDetail;
}
