/** Readable on a phone, in the dark and on paper, with what every browser has. */
export const docsStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f37; --bad: #b35900; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
nav ul { list-style: none; padding-left: 1rem; margin: 0; } nav > ul { padding: 0; columns: 18rem; }
nav > ul > li { break-inside: avoid; margin-bottom: .6rem; } nav a { text-decoration: none; }
h2 { margin-top: 2.5rem; } h3 { font-weight: 400; } h4 { margin: 1rem 0 .3rem; }
article { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
td { border-top: 1px solid var(--line); padding: .25rem .6rem .25rem 0; vertical-align: top; }
summary { cursor: pointer; padding: .15rem 0; } .key { opacity: .75; } .good { color: var(--good); } .bad { color: var(--bad); }
`;
