/**
 * Every number of the service specification's Limits table, by name, plus the limits we set ourselves on what
 * comes from outside. Whoever enforces or explains a limit reads it here.
 */

/** Rules per organization, over all its taps (spec, Limits); plans may say otherwise. */
export const RULES_PER_ORGANIZATION = 25;
/** Hours that a rule's figures reach back. */
export const RULE_FIGURES_HOURS = 24;
/** Saved matches of an organization, some kilobytes each; in one answer; characters of a note. */
export const SAVED_MATCHES_PER_ORGANIZATION = 10_000;
export const SAVED_MATCHES_A_PAGE = 100;
export const SAVED_NOTE_LENGTH = 1_000;
/** Saved filters of an organization; each has a text as long as a query. */
export const FILTERS_PER_ORGANIZATION = 50;
/**
 * Trying a query on what changed: seconds it may reach back, since changes are kept as long; milliseconds it may take;
 * matches that are told whole.
 */
export const TRIAL_SECONDS = 24 * 3_600;
export const TRIAL_MS = 10_000;
export const TRIAL_SHOWN = 100;
/** Characters in a rule's `tag` (spec, Limits). */
export const TAG_LENGTH = 255;
/** Characters in a tap's `name` (spec, Limits). */
export const TAP_NAME_LENGTH = 255;
/** Characters in a query. Lucene has no such limit; ours keeps one request from costing seconds of parsing. */
export const QUERY_LENGTH = 16_384;
/** Clauses in one query: Lucene's own `maxClauseCount`. */
export const QUERY_CLAUSES = 1_024;
/** Parentheses inside one another: a parser that recurses must not meet the end of its stack. */
export const QUERY_DEPTH = 64;
/** Rules per page that are reported as withheld; further ones are not counted. */
export const WITHHELD_A_PAGE = 1_000;
/** Diagnostics reported for one query: 16 kB can hold 4,000 mistakes, which would be an answer of 1 MB. */
export const QUERY_DIAGNOSTICS = 100;

/** Seconds a stream stays open (spec, Stream). */
export const STREAM_TIMEOUT_SECONDS = { least: 1, most: 300, default: 300 } as const;
/** Events after which a stream closes (spec, Stream). */
export const STREAM_LIMIT_EVENTS = { least: 1, most: 10_000 } as const;
/** Seconds `since` may reach back on the public API (spec, Stream). */
export const STREAM_SINCE_SECONDS = 24 * 3_600;
/** Milliseconds an event is kept for replay (spec, Limits: about 24 hours), unless the setting `stream-retention` says longer. */
export const EVENT_RETENTION_MS = 24 * 3_600_000;
/** Seconds that `stream-retention` may say, and `since` may reach back on the operator's socket. */
export const STREAM_RETENTION_SECONDS = { least: EVENT_RETENTION_MS / 1_000, most: 90 * 86_400 } as const;
/** Milliseconds of silence before a heartbeat: below every common proxy's idle limit (CloudFront cuts at 30 s). */
export const HEARTBEAT_MS = 15_000;

/** Seconds a page may be old to pass the quality filter: 7 days (spec, Limits). */
export const QUALITY_AGE_SECONDS = 604_800;
/**
 * Seconds a publication may lie ahead of our clock and count as just now: a wall clock without a zone is read as UTC,
 * which it is ahead of by 9 hours in Tokyo. Beyond it is a mistake, or a trick to stay recent.
 */
export const PUBLISHED_AHEAD_SECONDS = 86_400;

/** Active management keys an organization may have. */
export const ACTIVE_KEYS_PER_ORGANIZATION = 100;

/** Characters in a URL we crawl or watch (spec: 2048 for a watched URL; the crawl holds the same line). */
export const URL_LENGTH = 2_048;
/**
 * Where a URL counts as one of those that a site makes without end: segments of its path, how often one of them stands
 * in it, and query parameters. Near the figures of Heritrix and StormCrawler.
 */
export const TRAP_DEPTH = 16;
export const TRAP_REPETITIONS = 3;
export const TRAP_PARAMETERS = 8;
/** Entries of a feed: the longest in use have some hundred, and what is news stands first. */
export const FEED_ENTRIES = 1_000;
/** URLs of one sitemap, and sitemaps of one index (sitemaps.org, "Sitemap file requirements"). */
export const SITEMAP_ENTRIES = 50_000;
/** Addresses of a list that an operator hands over: OPML, a file of lines. */
export const LISTED_URLS = 100_000;
/** Feeds that one page can announce: more are those of single threads or tags. */
export const PAGE_FEEDS = 8;
/** Bytes of a decoded page. Above it a page is refused, never cut: half a page would read as a mass deletion. */
export const PAGE_BYTES = 5 * 1_024 * 1_024;
/** Bytes of an unpacked sitemap (sitemaps.org: 50 MB). */
export const SITEMAP_BYTES = 50 * 1_024 * 1_024;
/** Bytes of an ETag or Last-Modified that is kept with a page, to be sent back. Real ones have 20 to 60. */
export const VALIDATOR_BYTES = 1_000;
/** Hosts with an open connection at the same time: undici keeps some 30 kB for each. */
export const OPEN_HOSTS = 500;
/** Names whose addresses are remembered: about 5 MB. One that is gone costs one look-up. */
export const CACHED_NAMES = 10_000;
/** Bytes of the hosts file that are read: lists that block advertisements have 5 MB, and are not needed for a crawl. */
export const HOSTS_FILE_BYTES = 1_024 * 1_024;
/**
 * Of a web archive: bytes of the head of a record, and of the HTTP answer in it, and lines of the latter; and bytes of a
 * whole record. A body may be packed, or in chunks, and then be a little longer than the page in it.
 */
export const ARCHIVE_HEAD_BYTES = 64 * 1_024;
export const ARCHIVE_HEAD_LINES = 1_000;
export const ARCHIVE_RECORD_BYTES = PAGE_BYTES + 64 * 1_024 + 2 * ARCHIVE_HEAD_BYTES;
/** Records in one request that asks which records of an archive the daemon already has. */
export const ARCHIVE_QUESTIONS = 200;
/** Bytes of a WARC file that the daemon writes, after which it begins the next one: what the format's standard advises. */
export const WARC_FILE_BYTES = 1_024 * 1_024 * 1_024;
/**
 * Elements of a page's tree, and formatting elements (`<b>`, `<font>`) open at the same time. The HTML standard opens
 * the latter anew in each paragraph, so that 120 kB of unclosed ones are millions of elements; real pages have some
 * thousand elements, and a few open. Above it a page is refused: before it takes `READING_MEMORY_BYTES`, after which its
 * thread has to be ended, and the memory of an ended thread takes seconds to come back.
 */
export const PAGE_ELEMENTS = 120_000;
export const PAGE_OPEN_FORMATS = 1_000;
/**
 * Segments of one page, characters of all of them, and of one: what follows is left out, the same way at each visit, and
 * counted. By measurement: two lists of 150,000 lines that share every other line, or none, are compared within
 * `READING_MEMORY_BYTES`; of 200,000 they are not. JSON repeats its names in each line, so that its text may be longer than
 * its bytes.
 */
export const PAGE_SEGMENTS = 150_000;
export const PAGE_CHARACTERS = 8 * 1_024 * 1_024;
export const SEGMENT_LENGTH = 10_000;
/**
 * Characters of a Markdown document, and how many of them may be line ends and marks (`*`, `[`, `>`): it is these that
 * make one cost seconds. Blocks and marks inside one another, since each line is looked at once for each of them; what
 * is deeper is left out. And characters of the targets of its links, since a reference of three characters may stand
 * for a target of two thousand.
 */
export const MARKDOWN_LENGTH = 1_024 * 1_024;
export const MARKDOWN_MARKS = 200_000;
export const MARKDOWN_NESTING = 24;
export const MARKDOWN_LINK_LENGTH = 4 * 1_024 * 1_024;
/** Elements of an XML document, of which no tree is made. */
export const XML_ELEMENTS = 500_000;
/** Lists and objects of JSON, and elements of XML, inside one another. */
export const JSON_DEPTH = 200;
export const XML_DEPTH = 200;
/** Mistakes of an XML document after which it is refused: each costs more than reading what is right. */
export const XML_MISTAKES = 10_000;
/** Ampersands that should have been `&amp;`, as in the addresses of many feeds, after which it is refused too. */
export const XML_AMPERSANDS = 200_000;
/** Pages of a PDF that are read, and characters of their text: what follows is left out, the same way at each visit. */
export const PDF_PAGES = 200;
export const PDF_CHARACTERS = 2_000_000;
/** Bytes that all filters of all streams of a PDF may put out; images are not unpacked, and do not count. */
export const PDF_UNPACKED_BYTES = 64 * 1_024 * 1_024;
/** Bytes that the thread of one PDF may hold, heap and buffers: the library has what it unpacks more than once. */
export const PDF_MEMORY_BYTES = 256 * 1_024 * 1_024;
/** Bytes that all threads that read pages may hold at a moment, beyond what each has at rest; one page has at most this. */
export const READING_MEMORY_BYTES = 144 * 1_024 * 1_024;
/** Bytes of a body from which on such pages are read one at a time: they can take most of the memory for all. */
export const LARGE_PAGE_BYTES = 512 * 1_024;
/** Milliseconds one PDF may take to be read. */
export const PDF_MS = 10_000;
/**
 * Milliseconds one page may take to be analyzed, all rules included, before its thread is ended: the dearest pages within
 * the limits take a few seconds.
 */
export const ANALYSIS_MS = 30_000;
/** Links of one page that are kept for discovery and for the anchor fields. */
export const PAGE_LINKS = 5_000;
/**
 * Other domains that one page can speak for: of a thousand pages with links eight name more, and those are directories.
 */
export const PAGE_LINKED_DOMAINS = 50;
/**
 * Links that all pages of one domain together keep in the graph: one that makes up pages without end fills its own share
 * of the disk (about 1 MB) and no more. A domain has one vote for another however often it links to it, so little is lost.
 */
export const LINKS_PER_DOMAIN = 20_000;
/** Domains of an imported list of ratings: the formula gives no more ranks a rating. About 400 MB on disk. */
export const RATED_DOMAINS = 10_000_000;
/** Domains in one request of an import. */
export const RATINGS_A_REQUEST = 2_000;
/** Characters in a domain name (RFC 1035, 2.3.4). */
export const DOMAIN_LENGTH = 253;
/** Bytes of a robots.txt that are read (RFC 9309, 2.5, asks for 500 KiB at least), and Sitemap lines of one. */
export const ROBOTS_TXT_BYTES = 512 * 1_024;
export const ROBOTS_SITEMAPS = 1_000;
/**
 * Rules of a robots.txt with something after a `*`, which has to be searched for in each address. Half a megabyte of them
 * would take a second a page; of 400 real files the one with most has 162. Beyond it a rule that disallows is cut at its
 * `*`, and one that allows is left out: so less is asked for, never more.
 */
export const ROBOTS_SEARCHES = 1_000;
/**
 * Copies of robots.txt that are kept, and their bytes before compression: those asked for longest ago go first. Most
 * files have a kilobyte or two. A copy that is gone costs one request.
 */
export const ROBOTS_COPIES = 200_000;
export const ROBOTS_COPIES_BYTES = 256 * 1_024 * 1_024;
/** Characters of a page's title. */
export const TITLE_LENGTH = 300;

/** Requests a minute of one tap to `/v1/rules`, and openings of its stream (spec, Limits). */
export const RULES_REQUESTS_A_MINUTE = 60;
export const STREAM_OPENINGS_A_MINUTE = 30;
/**
 * Clients whose requests are counted at the same time, taps and addresses each: about 3 MB. Beyond it, whoever asked
 * longest ago begins anew.
 */
export const COUNTED_CLIENTS = 20_000;
/** Headers of one request; what follows is not read. Browsers send 20. */
export const REQUEST_HEADERS = 200;
/** Requests of one connection that may wait for their answers at the same time. Browsers and our own clients send one. */
export const PIPELINED_REQUESTS = 16;
/**
 * Milliseconds that a client may take nothing of what it has asked for, and send nothing. A stream has limits of its own.
 */
export const IDLE_CONNECTION_MS = 60_000;
/** Files that are kept free of the public port's connections: for the store, the crawl, the log and the operator's socket. */
export const OWN_FILES = 768;
/** Connections to the port of the figures: one for each Prometheus, and some that are just closing. */
export const METRICS_CONNECTIONS = 64;
/** Milliseconds that a TLS handshake may take. */
export const TLS_HANDSHAKE_MS = 10_000;

/** Bytes of a request body on the API: the longest query with each character as `\u4e2d`, and its tag beside it. */
export const REQUEST_BYTES = 128 * 1_024;

/**
 * What an operator may ask of one source: links from its URL (beyond a hundred only calendars go on), pages (what one
 * machine can hold), seconds between two visits (a quarter). Sources of one request, of a daemon (the catalog is written
 * whole at each change), and bytes of a request: room for as many of the longest URLs.
 */
export const SOURCE_DEPTH = 100;
export const SOURCE_PAGES = 10_000_000;
export const SOURCE_EVERY_SECONDS = 90 * 86_400;
export const SOURCES_A_REQUEST = 10_000;
export const SOURCES = 50_000;
export const SOURCES_REQUEST_BYTES = 24 * 1_024 * 1_024;

/** Characters of `markdown` in one event, where older clients are given it: the event log keeps it for a day. */
export const LEGACY_MARKDOWN_LENGTH = 65_536;

/** Bytes of `diff` in one event, and characters of context on each side of a hit. */
export const DIFF_BYTES = 16 * 1_024;
export const DIFF_CONTEXT_CHARS = 200;
/** Characters of `diff` where no text clause hit. */
export const DIFF_UNHIT_CHARS = 2_000;

/**
 * Requests to one host, and bytes on the wire from it, in one day (UTC). At a rest of a second the first is half a day
 * of it, and the second 50 kB for each of them: a host that hands out more is one that makes its pages up, or one whose
 * owner pays for them.
 */
export const HOST_FETCHES_A_DAY = 43_200;
export const HOST_BYTES_A_DAY = 2 * 1_024 * 1_024 * 1_024;
/** Milliseconds that a host is left alone at most: a day, an hour of jitter, and one for clocks that differ. */
export const LONGEST_HOST_REST_MS = 26 * 3_600_000;
/**
 * Milliseconds until what was hard to believe is looked at again, and believed: long enough for a server that was being
 * restarted, short enough that true news of a deletion is still news.
 */
export const CONFIRM_MS = 60_000;
/** Pages under way on one IP address, whatever their hosts, and beginnings on it in a second: shared hosting is one machine. */
export const IP_IN_FLIGHT = 2;
export const IP_STARTS_A_SECOND = 4;

/**
 * New URLs a day of a host that no source begins on, for a domain that nobody knows; times `1 + DR / 5` for one that is
 * known. A page full of links to made-up hosts costs little, and a well-known site is found within days.
 */
export const FOREIGN_URLS_A_DAY = 50;
/**
 * Pages whose URLs look like made by one template, and how many more for each of them that had a text of its own: a
 * calendar without end stops at the first figure, an archive of real articles never meets it.
 */
export const PATTERN_PAGES = 500;
export const PATTERN_PAGES_A_FRUITFUL = 20;
/**
 * Of what a full source has let go of it remembers as many URLs for each page it may have, and as many in all (50 bytes
 * each), so that old links do not come back as news. The oldest are forgotten first.
 */
export const TOMBSTONES_A_PAGE = 10;
export const TOMBSTONES_A_SOURCE = 1_000_000;

/**
 * Grants of an organization that have something left, entries of its history, and days that usage is kept: what is spent
 * is looked up at each charge, and sums of more than a year are the operator's own books.
 */
export const CREDIT_GRANTS = 1_000;
export const CREDIT_ENTRIES = 1_000;
export const USAGE_DAYS = 400;
/** Credits in one grant, and for one match: sums stay far from where numbers lose their last digit. */
export const GRANT_CREDITS = 1_000_000_000;
export const MATCH_CREDITS = 1_000;
/** Seconds after which a grant may expire at most: ten years. */
export const CREDIT_EXPIRES_SECONDS = 3_650 * 86_400;
/** Lines of a usage report and of the credit's history in one answer. */
export const REPORT_LINES = 1_000;
/**
 * Taps whose paid offsets are remembered, and runs of offsets of each: at most 40 MB, and in practice one run each. What is
 * forgotten is asked of the database again.
 */
export const METERED_TAPS = 10_000;
export const METERED_RUNS = 64;
/** Runs of offsets, over all taps, that wait for a ledger that does not answer: 20 MB. */
export const UNCOUNTED_RUNS = 200_000;
/** Organizations of an instance, and members of each: the catalog is written whole at each change. */
export const ORGANIZATIONS = 1_000;
export const MEMBERS_PER_ORGANIZATION = 100;

/** Minutes between two checks of a watched URL (spec, Limits). */
export const WATCH_FREQUENCIES = [5, 10, 30, 60, 180, 360, 720, 1_440, 2_880, 7_200, 10_080] as const;
/** Crawl entries in one answer (spec, Limits). */
export const WATCH_HISTORY_LIMIT = { least: 1, most: 100, default: 50 } as const;
/** Checks of a watch that are kept, unless the setting `watch-history` says otherwise. */
export const WATCH_HISTORY = 1_000;
/** What may be said of a watch: selectors, patterns, characters of one. Watches in one request of the operator. */
export const WATCH_SELECTORS = 20;
export const WATCH_IGNORES = 50;
export const WATCH_OPTION_LENGTH = 500;
/** Characters of a watch's title, as of a tap's name; a tag has `TAG_LENGTH`. */
export const WATCH_TITLE_LENGTH = 255;
export const WATCH_TAGS = 20;
export const WATCHES_A_REQUEST = 1_000;
/** Bytes of such a request: a thousand URLs of full length, each with some options. */
export const WATCHES_REQUEST_BYTES = 4 * 1_024 * 1_024;
/** In one answer of the operator's. */
export const WATCH_CHECKS_A_PAGE = { most: 1_000, default: 100 } as const;
export const WATCH_CHANGES_A_PAGE = { most: 100, default: 50 } as const;
/** Characters of diffs in one answer; the first one is in it whatever its length. */
export const WATCH_ANSWER_LENGTH = 32 * 1_024 * 1_024;
/** How long a question for changes may wait for one. */
export const WATCH_CHANGES_WAIT_SECONDS = 25;
/** Milliseconds one check may take, robots.txt included, before it has failed: longer than fetch and analysis together. */
export const WATCH_CHECK_MS = 120_000;
/** Values that JSONPath may select of one document, and selectors in one pair of brackets. */
export const JSON_PATH_NODES = 10_000;
export const JSON_PATH_SELECTORS = 20;
/**
 * Of what an operator sets for the requests of a page: headers, characters of one and of all, of a body and of a command that makes
 * headers; seconds that a request may be given, which end before the check does. Of such commands: milliseconds, bytes of output,
 * how many run at a time, and for how many pages what they said is remembered.
 */
export const OWN_HEADERS = 32;
export const OWN_HEADER_LENGTH = 8_192;
export const OWN_HEADERS_LENGTH = 16_384;
export const OWN_BODY_LENGTH = 65_536;
export const OWN_COMMAND_LENGTH = 1_000;
export const OWN_TIMEOUT_SECONDS = { least: 1, most: 75 } as const;
export const HEADER_COMMAND_MS = 10_000;
export const HEADER_COMMAND_BYTES = 32 * 1_024;
export const HEADER_COMMANDS = 4;
export const HEADER_COMMANDS_REMEMBERED = 10_000;
/**
 * Compounds of a selector (`div.price > b` has two), and what all selectors of a watch may cost on one page: looks at an
 * element, or at one of its neighbours, some 10 ns each. `li:nth-child(2)` looks at all neighbours of each element, which
 * is quadratic in the length of a list: some ten thousand are the most. Elements inside one another, which browsers cut at
 * 512. And instructions that a pattern may be compiled to.
 */
export const SELECTOR_COMPOUNDS = 40;
export const SELECTOR_STEPS = 50_000_000;
export const SELECTOR_DEPTH = 1_000;
export const PATTERN_INSTRUCTIONS = 2_000;

/**
 * Feeds by address. How many an organization may have, and characters of a name. Requests a minute to one feed, and of one
 * address to feeds that are not there.
 */
export const FEEDS_PER_ORGANIZATION = 200;
export const FEED_NAME_LENGTH = 255;
export const FEED_REQUESTS_A_MINUTE = 30;
/**
 * Of one feed: its entries, the newest; characters of their content, and of that of one change; and characters of changes that
 * are read for it. The first entry is in it whatever its length.
 */
export const FEED_MATCHES = 100;
export const FEED_CHANGES = 50;
export const FEED_LENGTH = 1_024 * 1_024;
export const FEED_ENTRY_LENGTH = 64 * 1_024;
export const FEED_READ_LENGTH = 8 * 1_024 * 1_024;
/** Bytes of feeds that are kept as they were sent last, all together. */
export const FEED_CACHE_BYTES = 16 * 1_024 * 1_024;
/** Milliseconds after which a feed of a tag is made again although nothing has changed: its watches may be others. */
export const FEED_TAG_MS = 60_000;
/** Seconds that a reader need not ask again. */
export const FEED_FRESH_SECONDS = 60;
/**
 * Sinks of an instance, which each have a loop and a log; characters of a name, of an option or secret (a private key is one),
 * and of a template; options of one, and taps that it names.
 */
export const SINKS = 100;
export const SINK_NAME_LENGTH = 64;
export const SINK_OPTION_LENGTH = 8_192;
export const SINK_OPTIONS = 32;
export const SINK_TEMPLATE_LENGTH = 8_192;
export const SINK_TAPS = 1_000;
/** Failures in a row after which a source or a watch is a problem to a sink. */
export const SINK_PROBLEM_FAILURES = { most: 1_000, default: 3 } as const;
/** Bytes of an answer that the log of a sink keeps, and bytes of one that are read. */
export const SINK_DETAIL_BYTES = 1_024;
export const SINK_ANSWER_BYTES = 16 * 1_024;
/** Milliseconds that one attempt may take. */
export const SINK_ATTEMPT_MS = 20_000;
/**
 * Messages of a sink that are made ahead of their delivery: what is behind them waits in the log. Refused ones that are kept, and
 * attempts that its log has: the oldest go first. Deliveries that `at_most` may count.
 */
export const SINK_MESSAGES_AHEAD = 32;
export const SINK_PARKED_MESSAGES = 1_000;
export const SINK_LOG_ENTRIES = 500;
export const SINK_AT_MOST = 200;
/** Items of one message, bytes of a message, and of the lines of one item. */
export const SINK_MESSAGE_ITEMS = 100;
export const SINK_MESSAGE_BYTES = 256 * 1_024;
export const SINK_LINES_BYTES = 16 * 1_024;
/** Events that are kept of problems, and problems that may be open: what is beyond is counted in none. */
export const PROBLEM_EVENTS = 10_000;
export const OPEN_PROBLEMS = 5_000;
/** Refusals after which a message is parked; milliseconds of failure after which a sink is dead. */
export const SINK_REFUSALS = 5;
export const SINK_DEAD_MS = 3 * 86_400_000;
/** Free bytes of the data directory's disk below which it is full to sinks: the journal alone may want half of that. */
export const DISK_FULL_BYTES = 128 * 1_024 * 1_024;
/** Entries of a sink's log, or parked messages, in one answer; bytes of a request that makes one, with its options and secrets. */
export const SINK_ENTRIES_A_PAGE = { most: 500, default: 50 } as const;
export const SINK_REQUEST_BYTES = 1_024 * 1_024;

/** Links of the web view that may be open, and seconds for which one is; sessions, and seconds without a request, and in all. */
export const VIEW_LINKS = 20;
export const VIEW_LINK_SECONDS = 300;
export const VIEW_SESSIONS = 200;
export const VIEW_SESSION_SECONDS = { idle: 3 * 86_400, most: 30 * 86_400 } as const;
/** Attempts of one address to sign in, and requests of one session, in a minute. */
export const VIEW_SIGN_INS_A_MINUTE = 10;
export const VIEW_REQUESTS_A_MINUTE = 600;
/** Bytes of a form: every field of one, percent-encoded. */
export const VIEW_FORM_BYTES = 256 * 1_024;
/** Rows of one screen, and characters of its mark-up after which a list of matches goes on on the next one. */
export const VIEW_WATCHES_A_PAGE = 100;
export const VIEW_MATCHES_A_PAGE = 50;
export const VIEW_PAGE_LENGTH = 100_000;
/** Characters of a match that its timeline shows; taps of one timeline; matches that are looked through for those of a rule. */
export const VIEW_MATCH_LENGTH = 1_500;
export const VIEW_TAPS = 100;
export const VIEW_MATCHES_SEARCHED = 5_000;
/** Timelines that one session has open; seconds for which one is served: its browser opens the next one. */
export const VIEW_STREAMS_A_SESSION = 20;
export const VIEW_STREAM_SECONDS = 1_800;
/**
 * Of a page that is rendered: requests that it may make, bytes of them on the wire, bytes of memory that one process of the browser
 * may hold, and seconds it may take to settle. One after the other is rendered unless `render-pages` says otherwise.
 */
export const RENDER_REQUESTS = 200;
export const RENDER_WIRE_BYTES = 20 * 1_024 * 1_024;
export const RENDER_MEMORY_BYTES = 600 * 1_024 * 1_024;
export const RENDER_SECONDS = { least: 1, most: 60, default: 20 } as const;
/** Milliseconds without a page after which the browser ends, and pages after which another one is started. */
export const RENDER_IDLE_MS = 5 * 60_000;
export const RENDERED_PAGES = 100;
