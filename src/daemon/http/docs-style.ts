/** Text on the page's background, for light and dark: at least 4.5 to 1, also for the smallest (WCAG 2.2, 1.4.3). */
export const docsColors = {
  background: ['#ffffff', '#121212'],
  text: ['#1b1b1b', '#e6e6e6'],
  link: ['#0b57d0', '#8ab4f8'],
  good: ['#1a7f37', '#4ac26b'],
  bad: ['#9a4a00', '#f0a05a'],
} as const;

const variables = Object.entries(docsColors).map(
  ([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`,
);

/**
 * Readable on a phone, in the dark and on paper, with what every browser has. Nothing scrolls sideways: code is broken, and
 * on a narrow screen the cells of a table stand below one another.
 */
export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; ${variables.join(' ')} }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
body { background: var(--background); color: var(--text); overflow-wrap: anywhere; } a { color: var(--link); }
nav ul { list-style: none; padding-left: 1rem; margin: 0; } nav > ul { padding: 0; columns: 18rem; }
nav > ul > li { break-inside: avoid; margin-bottom: .6rem; } nav a { display: inline-block; min-height: 1.5rem; }
h2 { margin-top: 2.5rem; } h3 { font-weight: 400; } h4 { margin: 1rem 0 .3rem; }
article { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem; white-space: pre-wrap; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 15px; } th { text-align: left; font-weight: 400; }
td, tbody th { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; vertical-align: top; }
summary { cursor: pointer; padding: .15rem 0; } .good { color: var(--good); } .bad { color: var(--bad); }
@media (max-width: 40rem) {
  thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .3rem 0; }
  td, tbody th { display: block; border: 0; padding: 0; }
}
`;
