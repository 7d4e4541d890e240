import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, type Html } from './html.ts';

interface Asset {
  /** With a part that changes with its content, so that a browser may keep it. */
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What pages load: from here and from nowhere else. None of it has anything of anybody in it. */
export const ASSETS = {
  style: asset('view.css', new URL('./view.css', import.meta.url), 'text/css; charset=utf-8'),
  script: asset('view.js', new URL('./view.js', import.meta.url), 'text/javascript; charset=utf-8'),
  icon: asset('icon.svg', new URL('./icon.svg', import.meta.url), 'image/svg+xml'),
} as const;

function asset(name: string, file: URL, type: string): Asset {
  const bytes = readFileSync(file);
  const mark = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return { path: `/ui/assets/${mark}/${name}`, type, bytes };
}

interface Frame {
  readonly title: string;
  readonly body: Html;
  /** Below `/ui`, without a slash at its end. */
  readonly path: string;
  /** Undefined: nobody is signed in. */
  readonly viewer: { readonly isOperator: boolean; readonly organizations: readonly Organization[] } | undefined;
}

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly isChosen: boolean;
}

const PLACES = [
  { path: '', name: 'Timeline', key: 't', isForAll: true },
  { path: '/watches', name: 'Watches', key: 'w', isForAll: true },
  { path: '/rules', name: 'Rules', key: 'r', isForAll: true },
  { path: '/query', name: 'Query', key: 'q', isForAll: true },
  { path: '/crawl', name: 'Crawl', key: 'c', isForAll: false },
  { path: '/health', name: 'Health', key: 'h', isForAll: false },
] as const;

/** One whole page. Links go to `/ui/…`; whoever puts a path before the daemon has to keep that one. */
export function layout({ title, body, path, viewer }: Frame): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · hydrant</title>
        <link rel="icon" href="${ASSETS.icon.path}" type="image/svg+xml" />
        <link rel="stylesheet" href="${ASSETS.style.path}" />
        <script type="module" src="${ASSETS.script.path}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${viewer && header(path, viewer)}
        <main id="main" tabindex="-1">${body}</main>
        ${viewer && KEYS}
      </body>
    </html> `.toString();
}

function header(path: string, { isOperator, organizations }: NonNullable<Frame['viewer']>): Html {
  const places = PLACES.filter(({ isForAll }) => isForAll || isOperator);
  const links = places.map(({ path: place, name, key }) => {
    const isHere = place === '' ? path === '' : path === place || path.startsWith(`${place}/`);
    return html`<li>
      <a href="/ui${place === '' ? '/' : place}" data-key="${key}" ${isHere && html` aria-current="page"`}>${name}</a>
    </li>`;
  });
  return html`<header class="bar">
    <nav aria-label="Screens">
      <ul>
        ${links}
      </ul>
    </nav>
    ${organizations.length > 1 && organizationForm(organizations)}
    <form method="post" action="/ui/sign-out"><button class="plain">Sign out</button></form>
  </header>`;
}

function organizationForm(organizations: readonly Organization[]): Html {
  const options = organizations.map(({ id, name, isChosen }) => {
    return html`<option value="${id}" ${isChosen && html` selected`}>${name}</option>`;
  });
  return html`<form method="post" action="/ui/organization" class="organization">
    <label class="hidden" for="organization">Organization</label>
    <select id="organization" name="organization" data-submits>
      ${options}
    </select>
    <button class="plain">Show</button>
  </form>`;
}

const KEYS = html`<dialog id="keys" aria-labelledby="keys-title">
  <h2 id="keys-title">Keys</h2>
  <dl>
    <dt><kbd>j</kbd> <kbd>k</kbd></dt>
    <dd>next, previous</dd>
    <dt><kbd>o</kbd></dt>
    <dd>open it</dd>
    <dt><kbd>/</kbd></dt>
    <dd>filter</dd>
    <dt><kbd>g</kbd> and <kbd>t</kbd> <kbd>w</kbd> <kbd>r</kbd> <kbd>q</kbd> <kbd>c</kbd> <kbd>h</kbd></dt>
    <dd>timeline, watches, rules, query, crawl, health</dd>
    <dt><kbd>?</kbd></dt>
    <dd>this list</dd>
  </dl>
  <form method="dialog"><button>Close</button></form>
</dialog>`;
