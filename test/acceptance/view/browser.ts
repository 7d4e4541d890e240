import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { launch, type Browser, type Page } from 'puppeteer-core';

const CHROMIUM = '/usr/bin/chromium';
/** Tests are skipped without it; Debian has it as the package `chromium`. */
export const hasChromium = existsSync(CHROMIUM);

/** Where screenshots go, for whoever wants to look at them; nobody by default, since each takes as long as its test. */
const screenshots = process.env['HYDRANT_SCREENSHOTS'];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** It asks nobody for anything by itself. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

/** A phone, a tablet and a screen. */
export const WIDTHS = [390, 820, 1_440] as const;

/** A real browser, with nothing of anybody's in it. */
export class RealBrowser {
  readonly #browser: Browser;
  readonly #profile: string;

  private constructor(browser: Browser, profile: string) {
    this.#browser = browser;
    this.#profile = profile;
  }

  static async start(): Promise<RealBrowser> {
    const profile = mkdtempSync(join(tmpdir(), 'hydrant-browser-'));
    // Its sandbox does not work for root, as whom CI runs; the pages are our own.
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await launch({ executablePath: CHROMIUM, userDataDir: profile, args: [...QUIET, ...asRoot] });
    return new RealBrowser(browser, profile);
  }

  /** One visitor: cookies of his own. */
  async visitor(): Promise<Visitor> {
    const context = await this.#browser.createBrowserContext();
    const page = await context.newPage();
    const visitor = new Visitor(page);
    await visitor.listen();
    return visitor;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

/** A page in a browser, and whatever went wrong in it. */
export class Visitor {
  readonly page: Page;
  /** What the browser has complained of: errors of scripts, what the content security policy held back, failed loads. */
  readonly complaints: string[] = [];
  #width: number | undefined;
  #isDark = false;

  constructor(page: Page) {
    this.page = page;
  }

  async listen(): Promise<void> {
    this.page.on('pageerror', (error) => this.complaints.push(String(error)));
    this.page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('console', (message) => {
      const isOfStatus = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfStatus) this.complaints.push(message.text());
    });
    await this.page.exposeFunction('complain', (text: string) => this.complaints.push(text));
    await this.page.evaluateOnNewDocument(
      "addEventListener('securitypolicyviolation', (event) => complain(`CSP: ${event.violatedDirective} ${event.blockedURI}`))",
    );
  }

  /** An expression of the page's own language: the tests have no types of a browser. */
  async look<Answer>(expression: string): Promise<Answer> {
    return (await this.page.evaluate(expression)) as Answer;
  }

  /** Clicks it, and waits for the page that follows. Not by a locator, which waits for frames that a page without scripts does not have. */
  async follow(selector: string): Promise<void> {
    await Promise.all([this.page.waitForNavigation(), this.page.click(selector)]);
  }

  async fill(selector: string, text: string): Promise<void> {
    await this.page.locator(selector).fill(text);
  }

  text(selector = 'main'): Promise<string> {
    return this.look(`document.querySelector(${JSON.stringify(selector)}).innerText`);
  }

  /** Faults that axe finds, serious and worse, as `rule: where`. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(axe);
    const { violations } = await this.look<AxeResults>("axe.run({ resultTypes: ['violations'] })");
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    return grave.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html}`));
  }

  /** Characters of the page that are beside the screen, to the right. */
  overflow(): Promise<number> {
    return this.look('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  async widen(width: number): Promise<void> {
    this.#width = width;
    await this.page.setViewport({ width, height: width < 600 ? 844 : 900 });
  }

  async dark(isDark: boolean): Promise<void> {
    this.#isDark = isDark;
    const value = isDark ? 'dark' : 'light';
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
  }

  async picture(name: string): Promise<void> {
    if (screenshots === undefined) return;
    mkdirSync(screenshots, { recursive: true });
    const file = `${name}${this.#width === undefined ? '' : `-${this.#width}`}${this.#isDark ? '-dark' : ''}.png`;
    await this.page.screenshot({ path: join(screenshots, file), fullPage: true });
  }
}
