/** What is held, and by which tests: `file: name`. */
type Held = readonly [behaviour: string, ...tests: readonly [string, ...string[]]];
type Numbered = readonly [number: number, ...Held];

/**
 * Thirty things that the suites of programs made for watching URLs check, by number, and which of our tests hold each.
 * Those that hydrant does not do are in `NOT_DONE`, with the reason.
 */
export const HELD: readonly Numbered[] = [
  [
    1,
    'the first check is the baseline: no change, and no diff',
    'daemon/watch/check.test.ts: the first one records no change and no diff',
    'daemon/analysis/analyze-watch.test.ts: is the baseline: no change, no diff, and all that the next one needs',
  ],
  [
    2,
    'a change stands in the history, is unseen, and is seen once it was looked at',
    'contract/watch-checks.ts: changes are unseen until they are seen, and those to come always are',
    'daemon/admin/watches.test.ts: is seen up to a check',
    'cli/commands/watch/watch-history.test.ts: shows the newest change, and says that it is seen',
  ],
  [
    3,
    'watches that are checked at the same time have each its own content, and one entry a check',
    'daemon/watch/check-many.test.ts: that are checked at the same time have each its own page, and one entry a check',
    'acceptance/watch-versions.test.ts: generated pages',
  ],
  [
    4,
    'a hundred checks in threads of a page that stays are unchanged',
    'daemon/watch/check-many.test.ts: that are checked a hundred times in threads, with other bytes each time, have not changed',
    'daemon/analysis/analyze-watch.test.ts: one hundred times of the same page is never a change',
  ],
  [
    5,
    'a history that is trimmed has exactly as many checks as are kept, each with its text',
    'contract/watch-checks.ts: the newest checks are kept, and the text of the oldest of them with its entry long gone',
    'contract/watch-checks.ts: from A to B to A and trimmed, A is still there',
    'acceptance/watch-hostile.test.ts: has changed each time; with three checks kept, each of their texts is there',
  ],
  [
    7,
    'what is committed is there after a restart; a crash leaves all of a check or none; checks at one time harm none',
    'daemon/storage/watch-crash.test.ts: after kill -9 within a check',
    'acceptance/watch-crash.test.ts: no change is lost, none is doubled, and the quota is counted once',
    'daemon/watch/check-many.test.ts: that are checked at the same time have each its own page, and one entry a check',
  ],
  [
    8,
    'with 403, 404 and 500 the error is told, no version is added, and the baseline stays',
    'daemon/watch/check-failures.test.ts: by a status is told by its class, with the status',
    'daemon/watch/check-failures.test.ts: a storm of 500s leaves no text behind',
    'acceptance/watch-hostile.test.ts: that is bad (%s) fails, and is then compared with the last good one',
  ],
  [
    10,
    'a name that could not be resolved is no problem any more with the next success',
    'daemon/watch/check-recovery.test.ts: has no problem any more with the first success, which is %s',
  ],
  [
    11,
    'nor is it when the page is what it was',
    'daemon/watch/check-recovery.test.ts: the page as it was',
    'daemon/watch/check-validators.test.ts: after a failure without a body, too, all of the page is asked for',
  ],
  [
    12,
    'a check that takes too long is told of, and its place is free again',
    'daemon/watch/check-failures.test.ts: by its deadline, when %s hangs, frees its place and host',
  ],
  [
    13,
    'failures in a row are counted, and begin anew after a success',
    'daemon/watch/check-recovery.test.ts: counts its failures in a row, tells since when and the last one',
    'cli/commands/watch/watch.test.ts: has those that fail first and those that are paused last',
  ],
  [
    14,
    'that failures are over is said once; the same failure again and again is no news',
    'daemon/watch/check-recovery.test.ts: says once that it is over, and how often it failed; no failure is news',
    'cli/commands/watch/watch-history.test.ts: on a terminal tells runs of checks once',
  ],
  [
    15,
    'with 429 the page and its ETag are kept, and the host is left alone',
    'daemon/watch/check-recovery.test.ts: with 429 keeps its page and its validators, waits as long as it is told to',
  ],
  [
    16,
    'an ETag is sent back, and a 304 is an unchanged check',
    'daemon/watch/check-validators.test.ts: are sent back as they came, and a 304 is an unchanged check',
    'acceptance/watch-hostile.test.ts: that says 304 with its ETag has not changed',
  ],
  [
    17,
    'a selector that finds nothing is a failure that is told, and recovers without a false change',
    'daemon/analysis/watch-reading.test.ts: 17: a selector that is missing fails, and recovers without a false change',
    'daemon/analysis/watch-reading.test.ts: 17: a change while the selector was missing is told when it is back',
    'cli/commands/watch/watch-history.test.ts: of a selector that finds nothing says what to do',
  ],
  [
    18,
    'UTF-8 without a header, Shift_JIS of a meta element, no content type, half surrogate pairs are read',
    'daemon/analysis/watch-reading.test.ts: the same text in UTF-8 without a header, in windows-1252, in UTF-16',
    'daemon/analysis/watch-reading.test.ts: Shift_JIS, as the page declares it, and as UTF-8, is the same text',
    'daemon/analysis/watch-reading.test.ts: half a surrogate pair can be kept and compared',
    'acceptance/watch-hostile.test.ts: that comes in one encoding after another has changed when its words have',
  ],
  [
    19,
    'JSON with a byte order mark, or with its keys in another order, has not changed',
    'daemon/analysis/watch-reading.test.ts: with a byte order mark, or with its keys in another order, has not changed',
  ],
  [
    20,
    'plain text that looks like markup is not read as markup',
    'daemon/analysis/watch-reading.test.ts: 20: plain text that looks like XML or HTML is text, tags and all',
  ],
  [
    21,
    'an empty page is a failure; an empty element that was selected is none',
    'daemon/watch/check-failures.test.ts: by a challenge, or by a page with nothing on it, leaves the page as it was',
    'daemon/analysis/watch-reading.test.ts: an element that is empty is watched until something stands in it',
  ],
  [
    22,
    'text that is ignored is not a change',
    'daemon/analysis/watch-reading.test.ts: 22: text that is ignored is not a change, on either side',
  ],
  [
    23,
    'what is ignored is taken out before anything is selected',
    'daemon/analysis/watch-reading.test.ts: 23: what is ignored is taken out before anything is selected',
  ],
  [
    24,
    'white space and the order of lines are no change; a copy of a line is one',
    'daemon/analysis/watch-reading.test.ts: 24: what lines are',
  ],
  [
    25,
    'a diff has context, hunks that are merged, the words that changed; without a change it is empty',
    'shared/page/select/watched.test.ts: 25: a diff of lines',
    'cli/changes/change-lines.test.ts: is like a unified diff, with the words that changed',
  ],
  [
    26,
    '`--only added` hides deletions, except when most of the page vanished',
    'daemon/analysis/watch-options.test.ts: 26: hides deletions except when most of the page vanished',
  ],
  [
    28,
    'a redirect into the private network is not followed, however its address is written',
    'daemon/fetch/forbidden-addresses.test.ts: as a URL, and as what a redirect leads to, is not connected to',
    'daemon/fetch/forbidden-addresses.test.ts: a name that changes its address (rebinding)',
    'daemon/watch/target.test.ts: http://0x7f.1/',
    'acceptance/hostile-pages.ts: private_address, as it leads there',
  ],
  [
    29,
    'of a long list all URLs arrive; duplicates and what is invalid are refused one by one',
    'cli/commands/watch/watch-add.test.ts: sends a thousand a request, and places refusals in the whole',
    'daemon/admin/watches.test.ts: takes a thousand watches at once, and no more than the plan has places for',
    'daemon/admin/watches.test.ts: takes a batch: what cannot be taken is told with its place',
  ],
  [
    30,
    'what GET gives can be PUT and changes nothing; nothing of the inside is told; a wrong key is refused',
    'daemon/http/url-watches.test.ts: takes back what GET has given, and changes nothing',
    'daemon/http/url-watches.test.ts: says nothing of why a crawl failed, nor of what the operator has set',
    'conformance/authorization.test.ts: every route answers every asker as the one rule says',
  ],
];

/** What of the thirty hydrant does not do. */
export const NOT_DONE: readonly (readonly [number: number, behaviour: string, reason: string])[] = [
  [
    6,
    'a number of kept checks for each watch',
    'one number for all (`watch-history`): an unchanged check takes some bytes, and equal texts are stored once',
  ],
  [
    9,
    'the page of a 403 or 404 is compared as others are',
    'an error is no version: its page is that of a gateway or of a login more often than the one that is watched',
  ],
  [
    27,
    'hours and days of the week at which a watch is checked',
    'the contract knows cadences only; `pause` and `resume` can be run at set times. Slots are in UTC, so that no zone moves them',
  ],
];

/** What those programs get wrong, or do not test. */
export const ON_TOP: readonly Held[] = [
  [
    'kill -9 at every step of a check',
    'acceptance/watch-crash.test.ts: no change is lost, none is doubled, and the quota is counted once',
  ],
  [
    'a clock that jumps an hour, either way',
    'daemon/storage/watch-slots.test.ts: are reached again within five quarters of the interval when the clock jumps an hour',
    'daemon/watch/schedule.test.ts: a clock that is set back by',
    'daemon/watch/schedule.test.ts: a machine that has slept makes no burst of checks, and each watch is back in its slots',
  ],
  [
    'two edits within one second',
    'daemon/watch/check-validators.test.ts: a second edit in the second of the first is not hidden behind its Last-Modified',
    'daemon/watch/check-model.test.ts: tells all that changed between two checks that read it, once, and nothing else',
    'acceptance/watch-hostile.test.ts: edited twice within a second, behind an ETag and a Last-Modified of it',
  ],
  [
    'daylight saving',
    'daemon/storage/watch-slots.test.ts: are where they were after a change to daylight saving, in any time zone',
  ],
  [
    'a restart with five thousand watches that are late',
    'daemon/watch/check-many.test.ts: five thousand that are late after a restart are due once each, some fifty a second',
    'daemon/watch/schedule.test.ts: after a restart what was missed is made up for once each',
  ],
  [
    'a host that takes one connection, and is crawled too',
    'acceptance/watch-hostile.test.ts: on a host with one connection, which is crawled too',
    'daemon/watch/schedule.test.ts: a host that both know has one request at a time',
  ],
  ['a gzip bomb', 'acceptance/hostile-pages.ts: too_large, as it is a bomb'],
  [
    'a body that is cut short',
    'acceptance/hostile-pages.ts: reset, as it has fewer bytes than it says',
    'acceptance/hostile-pages.ts: undecodable, as its gzip is cut short',
  ],
  [
    'a validator that never changes',
    'daemon/watch/check-validators.test.ts: an ETag that never changes hides a change for a day at most',
    'acceptance/watch-hostile.test.ts: whose ETag never changes, and which answers all the same',
  ],
  [
    'a page that goes from A to B to A',
    'daemon/analysis/analyze-watch.test.ts: A-B-A is two changes, the second the first one backwards',
    'daemon/watch/check.test.ts: a page that goes to and fro has changed twice',
  ],
  [
    'options that are changed between two checks',
    'daemon/analysis/watch-options.test.ts: reads the old page anew, and is no change of the page',
    'daemon/watch/check.test.ts: what is found of other options than before is no change',
  ],
];
