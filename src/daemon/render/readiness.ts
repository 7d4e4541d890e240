import type * as puppeteer from 'puppeteer-core';
import { findBrowser, INSTALL_A_BROWSER } from './chromium.ts';

export type Driver = typeof puppeteer;

/** Loaded when a page is first rendered; undefined where it was not installed. */
export async function driver(): Promise<Driver | undefined> {
  return import('puppeteer-core').catch(() => undefined);
}

/** Which browser pages would be rendered with: a program, or the address of one; or why with none, and what to do. */
export async function browserFor({ browser, endpoint, hasSandbox }: BrowserWish): Promise<Readiness> {
  if ((await driver()) === undefined) return { refusal: `puppeteer-core is not installed; ${INSTALL_DRIVER}` };
  if (endpoint !== '') return { browser: endpoint };
  const found = await findBrowser(browser);
  if (found === undefined) {
    return { refusal: browser === '' ? `no browser was found; ${INSTALL_A_BROWSER}` : `${browser} is no program` };
  }
  const isRoot = process.getuid?.() === 0;
  // Nobody is user 65534 on Linux; elsewhere that is not known, and as root no browser has a sandbox.
  if (isRoot && hasSandbox && process.platform !== 'linux') {
    return { refusal: 'as root a browser has no sandbox; run hydrantd as another user' };
  }
  return { browser: found };
}

export interface BrowserWish {
  /** A path, or empty: one of the usual places. */
  readonly browser: string;
  /** `http://…` or `ws://…` of a browser elsewhere; empty: one of this machine is started. */
  readonly endpoint: string;
  readonly hasSandbox: boolean;
}

export type Readiness =
  | { readonly browser: string; readonly refusal?: undefined }
  | { readonly refusal: string; readonly browser?: undefined };

const INSTALL_DRIVER = 'install it: npm install --global hydrant puppeteer-core@25.16.0';
