import { access, constants } from 'node:fs/promises';

/**
 * The Chromium of this machine: the one that is named, or the first of the places where packages put it. Undefined: there is
 * none. The programs come before the scripts that start them, since those add flags of their own (`/etc/chromium.d`).
 */
export async function findBrowser(named: string): Promise<string | undefined> {
  const places = named === '' ? PLACES : [named];
  for (const place of places) if (await isProgram(place)) return place;
  return undefined;
}

/** What to do where there is none. */
export const INSTALL_A_BROWSER =
  'install Chromium (Debian and Ubuntu: apt-get install chromium; macOS: Google Chrome), or name one with --render-browser';

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const PLACES = [
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/homebrew/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
];

/**
 * What it is started with. Everything goes through the proxy, loopback included; names are the proxy's to look up; nothing
 * is asked of anybody that no page has asked for.
 */
export function flagsOf({ profile, proxyPort, hasSandbox }: FlagFacts): string[] {
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    // Without it loopback goes past the proxy.
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    // The flag with `force-` in its name, which is copied everywhere, does nothing: addresses of STUN servers are still asked.
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-field-trial-config',
    '--no-pings',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-service-autorun',
    '--metrics-recording-only',
    '--password-store=basic',
    '--use-mock-keychain',
    '--mute-audio',
    '--hide-scrollbars',
    '--disable-gpu',
    // Containers have 64 MB there.
    '--disable-dev-shm-usage',
    `--js-flags=--max-old-space-size=${HEAP_MB}`,
    `--disable-features=${CLOSED_FEATURES.join(',')}`,
    ...(hasSandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ];
}

export interface FlagFacts {
  readonly profile: string;
  readonly proxyPort: number;
  readonly hasSandbox: boolean;
}

/** Of a page's scripts; what is not in their heap is the business of `memory-watch.ts`. */
const HEAP_MB = 512;

const CLOSED_FEATURES = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
];
