import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { hashOf } from '../history.ts';
import type { Segment, Unread } from '../page.ts';
import type { Scope } from '../structure/scope.ts';
import { textWithin } from './controls.ts';
import { fold } from './fold.ts';
import { attribute } from './walk.ts';

/** Notes what is not read, for the account of the reading. */
export class UnreadText {
  #hidden = 0;
  #hash = 0;
  #scripts = 0;
  #hasEmptyRoot = false;
  /** Characters inside of elements that wait for a script: "Loading…". */
  #waiting = 0;
  #asksForPassword = false;
  readonly #parts = new Set<string>();

  enter(element: Tree.Element, { hidden, chrome }: Scope): void {
    const { tagName } = element;
    if (tagName === 'script') this.#scripts += isData(element) ? 0 : 1;
    else if (tagName === 'input') this.#asksForPassword ||= !hidden && !chrome && isPassword(element);
    else if (chrome && PARTS.has(tagName)) this.#parts.add(tagName);
    else if (!hidden) this.#enterPlaceholder(element);
  }

  #enterPlaceholder(element: Tree.Element): void {
    const isRoot = ROOTS.has(attribute(element, 'id') ?? '');
    if (!isRoot && !element.tagName.includes('-')) return;
    const text = textWithin(element);
    if (!WAITS.test(text)) return;
    this.#hasEmptyRoot ||= isRoot;
    this.#waiting += text.length;
  }

  text(value: string): void {
    if (!PRINTED.test(value)) return;
    const text = fold(value);
    if (text === '') return;
    this.#hidden += text.length;
    this.#hash = joined(this.#hash, text);
  }

  found(segments: readonly Segment[]): Unread {
    const shown = segments.reduce((sum, { text }) => sum + text.length, 0);
    const boilerplate = segments.filter(({ zone }) => zone === 'chrome');
    return {
      hidden: this.#hidden,
      hiddenHash: this.#hash,
      boilerplateHash: boilerplate.reduce((hash, { text }) => joined(hash, text), 0),
      parts: [...this.#parts],
      // An element of its own name is an icon as often as it is an application: it tells where nothing else is shown.
      isScripted: this.#scripts > 0 && (this.#hasEmptyRoot || shown <= this.#waiting),
      asksForPassword: this.#asksForPassword,
    };
  }
}

function joined(hash: number, text: string): number {
  return (Math.imul(hash, 31) + hashOf(text)) >>> 0;
}

/** Most text between elements is the white space of the markup. */
const PRINTED = /\S/;
/** Elements that boilerplate stands in, which are good selectors. */
const PARTS: ReadonlySet<string> = new Set(['nav', 'aside', 'header', 'footer']);
/** Where frameworks put what they make of a page: React, Vue, Angular, Svelte, Next, Nuxt, Gatsby, Astro, Ember, Flutter. */
const ROOTS: ReadonlySet<string> = new Set(
  'root app __next __nuxt ___gatsby app-root svelte main-app application react-root mount app-mount ember-application flutter-app q-app'.split(
    ' ',
  ),
);

function isPassword(element: Tree.Element): boolean {
  return attribute(element, 'type')?.toLowerCase() === 'password';
}

function isData(element: Tree.Element): boolean {
  return /json|template/i.test(attribute(element, 'type') ?? '');
}

/** "Loading…" and nothing else, or a sentence for browsers that run no scripts. What has a figure is something to read. */
const WAITS =
  /^(?:\D{0,20}|(?=.*java ?script)(?=.*(?:enabl|disabl|requir|need|turn|without|a[ck]tiv|attiv|habilit|включ|увімк|włącz|有効|启用|啟用|사용)).{0,200})$/iu;
