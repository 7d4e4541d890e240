import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Makes test/fixtures/frameworks: one small application of each framework as its users build it, one file each, which asks
 * `/items.json` for a list and shows it. The frameworks take 90 MB with their compilers, and a test needs 0.6 MB of what comes of
 * them: they are installed into a directory of their own, at these versions, and only the bundles are kept, with the licences.
 *
 * Run by hand: node scripts/framework-apps.ts
 */
const PACKAGES = [
  'react@19.3.1',
  'react-dom@19.3.1',
  'vue@3.5.45',
  'svelte@5.57.3',
  'lit@3.3.3',
  '@angular/common@22.2.6',
  '@angular/compiler@22.2.6',
  '@angular/core@22.2.6',
  '@angular/platform-browser@22.2.6',
  'rxjs@7.8.2',
  'tslib@2.9.1',
];

const SVELTE = `<script>
  import { onMount } from 'svelte';
  let items = $state([]);
  onMount(async () => { items = await (await fetch('/items.json')).json(); });
</script>
{#if items.length > 0}
  <h1>Shop</h1>
  <ul>{#each items as { name, price } (name)}<li>{name} costs {price} euros.</li>{/each}</ul>
{/if}`;

const APPS: Readonly<Record<string, string>> = {
  react: `import { createElement as h, useEffect, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    function Shop() {
      const [items, setItems] = useState([]);
      useEffect(() => { fetch('/items.json').then((answer) => answer.json()).then(setItems); }, []);
      if (items.length === 0) return null;
      const rows = items.map(({ name, price }) => h('li', { key: name }, name, ' costs ', price, ' euros.'));
      return h('main', null, h('h1', null, 'Shop'), h('ul', null, rows));
    }
    createRoot(document.getElementById('root')).render(h(Shop));`,
  vue: `import { createApp, h, onMounted, ref } from 'vue';
    createApp({
      setup() {
        const items = ref([]);
        onMounted(async () => { items.value = await (await fetch('/items.json')).json(); });
        return () => items.value.length === 0 ? null : h('main', [h('h1', 'Shop'),
          h('ul', items.value.map(({ name, price }) => h('li', { key: name }, name + ' costs ' + price + ' euros.')))]);
      },
    }).mount('#root');`,
  svelte: `import { mount } from 'svelte';
    import Shop from './Shop.svelte.js';
    mount(Shop, { target: document.getElementById('root') });`,
  angular: `import '@angular/compiler';
    import { Component, provideZonelessChangeDetection, signal } from '@angular/core';
    import { bootstrapApplication } from '@angular/platform-browser';
    class Shop {
      items = signal([]);
      constructor() { fetch('/items.json').then((answer) => answer.json()).then((items) => this.items.set(items)); }
    }
    const template = '@if (items().length > 0) { <h1>Shop</h1> <ul>@for (item of items(); track item.name) { <li>{{ item.name }} costs {{ item.price }} euros.</li> }</ul> }';
    const App = Component({ selector: '#root', template })(Shop) ?? Shop;
    bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });`,
  lit: `import { html, LitElement } from 'lit';
    customElements.define('x-item', class extends LitElement {
      static properties = { price: { type: Number } };
      render() { return html\`<li><slot></slot> costs \${this.price} euros.</li>\`; }
    });
    customElements.define('x-shop', class extends LitElement {
      static properties = { items: { state: true } };
      constructor() { super(); this.items = []; }
      async connectedCallback() { super.connectedCallback(); this.items = await (await fetch('/items.json')).json(); }
      render() { return this.items.length === 0 ? null : html\`<h1>Shop</h1><ul>\${this.items.map(({ name, price }) =>
        html\`<x-item .price=\${price}>\${name}</x-item>\`)}</ul>\`; }
    });
    document.getElementById('root').append(document.createElement('x-shop'));`,
};

const out = path.resolve(import.meta.dirname, '../test/fixtures/frameworks');
const work = mkdtempSync(path.join(tmpdir(), 'hydrant-frameworks-'));
writeFileSync(path.join(work, 'package.json'), '{"private":true,"type":"module"}');
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {
  cwd: work,
  stdio: 'inherit',
});
const svelte = createRequire(path.join(work, 'package.json'))('svelte/compiler') as {
  compile: (source: string, options: object) => { readonly js: { readonly code: string } };
};
writeFileSync(path.join(work, 'Shop.svelte.js'), svelte.compile(SVELTE, { generate: 'client', name: 'Shop' }).js.code);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, source] of Object.entries(APPS)) {
  const input = path.join(work, `${name}.js`);
  writeFileSync(input, source);
  const define = {
    'process.env.NODE_ENV': '"production"',
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    ngDevMode: 'false',
    ngServerMode: 'false',
    ngJitMode: 'true',
  };
  const bundle = await rolldown({ cwd: work, input, platform: 'browser', transform: { define } });
  await bundle.write({ file: path.join(out, `${name}.js`), format: 'iife', minify: true });
  await bundle.close();
}
const packages = PACKAGES.map((one) => one.slice(0, one.lastIndexOf('@')));
const licences = packages.map((name) => {
  const { version, license } = JSON.parse(
    readFileSync(path.join(work, 'node_modules', name, 'package.json'), 'utf8'),
  ) as { version: string; license: string };
  return `${name} ${version}: ${license}`;
});
writeFileSync(path.join(out, 'LICENCES.txt'), `${licences.join('\n')}\n`);
rmSync(work, { recursive: true, force: true });
