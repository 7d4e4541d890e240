import { type Command, type OptionValues, Option } from '@commander-js/extra-typings';
import { secondsOf } from './option-values.ts';

/** How a page is asked for, as `watch add`, `watch edit`, `crawl add` and `crawl edit` take it. `request-order.ts` reads it. */
export interface RequestFlags {
  readonly header?: readonly string[] | undefined;
  /** True: to be asked for. */
  readonly cookie?: string | true | undefined;
  readonly user?: string | undefined;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly data?: string | undefined;
  readonly headersFrom?: string | undefined;
  readonly proxy?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Seconds. */
  readonly requestTimeout?: number | undefined;
  /** False: with `--no-request`, all of it is taken away. */
  readonly request?: boolean | undefined;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- commander infers it: each option adds its own type
export function withRequestFlags<Args extends unknown[], Opts extends OptionValues, Global extends OptionValues>(
  command: Command<Args, Opts, Global>,
) {
  return command
    .addOption(new Option('--header <line>', 'send a header: @FILE, - (stdin), or `Name: value`').argParser(collected))
    .option('--cookie [cookies]', 'send cookies: @FILE, - (stdin), or nothing to be asked')
    .option('--user <name>', 'sign in with a password: NAME to be asked, NAME:@FILE or NAME:-')
    .addOption(new Option('--method <method>', 'how to ask (GET; POST with --data)').choices(['GET', 'POST'] as const))
    .option('--data <body>', 'send a body: @FILE, - (stdin), or the text')
    .option('--headers-from <command>', 'a program that prints headers, run again after 401 or 403')
    .option('--proxy <url>', 'ask through this proxy: http://host:3128, or @FILE with its login')
    .option('--user-agent <name>', 'ask under this name')
    .option('--request-timeout <time>', 'how long its server may take: 5s, 60s (20s)', secondsOf);
}

/** Commander hands in what the flag has so far. */
function collected(value: string, former: readonly string[] | undefined): readonly string[] {
  return [...(former ?? []), value];
}

export const ABOUT_REQUEST = `
Headers, cookies, passwords and bodies go to the scheme, host and port of the
URL alone, through all redirects. They are kept sealed, shown nowhere, and left
out of exports and archives.
`;
