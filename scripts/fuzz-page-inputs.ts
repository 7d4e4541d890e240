import { below, type Dice, diceOf, pick, times } from './fuzz-dice.ts';

const HTML = 'text/html; charset=utf-8';
const XML = 'application/xml';
const JSON_TYPE = 'application/json';

/** Small documents of each type, as pages have them; mutation does the rest. */
const DOCUMENTS: readonly (readonly [type: string, body: string])[] = [
  [
    HTML,
    `<!doctype html><html lang="en-GB"><head><title>The ferry | Notes</title><base href="/a/"><meta charset=utf-8>
<meta property="og:title" content="Ferry"><meta name="description" content="About a ferry."><meta name=robots content="noindex, max-snippet:20">
<meta property="article:published_time" content="2026-02-13T08:06:32+01:00"><meta name=keywords content="sea, boats; harbour">
<link rel=canonical href="https://example.com/x?y=1#z"><link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/feed>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"NewsArticle","@id":"#a","headline":"Ferry","datePublished":"2026-02-13","articleSection":["Sea"],"mainEntity":{"@id":"#a"}},{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","name":"News"}]}]}</script>
</head><body><nav class="menu"><ul><li><a href="/">Home</a><li><a href="/b">Boats</a></ul></nav><main><article><header><h1>The ferry was late</h1>
<p class="byline">By A. Writer, 13 February 2026, 10:30 am</p></header><p>The ferry was late again on Tuesday, and nobody knew why, said the captain. It rained, it blew, and <a href="more?id=1&amp;utm_source=x">the sea rose</a>!</p>
<p>Mr. Smith paid $ 4.50 for a ticket, 3 hours ago. 1,204 views. Updated 14:05.</p><blockquote>“Never again.”</blockquote></article></main>
<aside class="related"><h2>Related</h2><a href="/c">A related boat</a></aside><footer id="footer">© 2026 Notes</footer></body></html>`,
  ],
  [
    HTML,
    `<table><caption>Boats</caption><thead><tr><th>Name<th>Price</thead><tr><td>Ada<td>€ 3,50<tr><td><table><tr><td>in<td>ner</table><td>x</table>
<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Rope</b><span itemprop=price content=3>3</span><time itemprop=datePublished datetime="2026-02-13">x</time></div>
<ol><li>One<li>Two <ul><li>Deep</ul></ol><dl><dt>Term<dd>Words</dl><pre>line one
line two</pre><p hidden>no<p style="display:none">no<template><p>no</template><svg><title>no</title><foreignObject><p>x</svg><select><option>o</select>`,
  ],
  [
    HTML,
    `<html lang=ja><title>渡し船 - ノート</title><h1>渡し船が遅れた</h1><p>2026年2月13日 10:30<p>渡し船は火曜日にまた遅れた。船長は「分からない」と言った。雨だった！<p>ข้าวและน้ำ ทุกวัน เช้า<p>مركب تأخر اليوم، منذ 3 ساعة؟<p>한국어 문장입니다. 3시간 전`,
  ],
  [
    'text/markdown',
    `---\ntitle: "High water"\n---\n# Tides\n\nIt *rose* and **fell**, see [here](/x "t") or <b>there</b>.\n\n- one\n  - two\n\n> quoted\n> > twice\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\ncode\n\`\`\`\n\n[a]: /b\n[a] ![i](j) <https://example.com>\n`,
  ],
  [
    JSON_TYPE,
    `{"title":"Rates","rates":[{"usd":1.08,"eur":1},{"usd":1.09,"note":"A. B\\u00e9"}],"deep":{"a":{"b":[[["c"]]]}},"x":null}`,
  ],
  [
    'application/feed+json',
    `{"version":"https://jsonfeed.org/version/1.1","title":"Notes","language":"de","items":[{"url":"/1","title":"One","content_html":"<p>Hi. <b>There.</b>"},{"content_text":"a < b"}]}`,
  ],
  [
    XML,
    `<?xml version="1.0"?><rates xmlns:x="urn:x" day="2026-02-13"><rate x:cur="USD">1.08</rate><!-- c --><rate cur="EUR"><![CDATA[<1>]]> &amp; more</rate></rates>`,
  ],
  [
    'application/rss+xml',
    `<rss version="2.0"><channel><title>Notes</title><link>/</link><description>d</description><item><title>One &amp;amp; two</title><link>/1</link><description>&lt;p&gt;Text. &lt;a href="b"&gt;Link&lt;/a&gt;</description></item><item><guid>https://example.com/2</guid><description><![CDATA[<i>x</i>]]></description></item></channel></rss>`,
  ],
  [
    'application/atom+xml',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/base/" xml:lang="en"><title type="html">&lt;b&gt;N&lt;/b&gt;</title><entry xml:base="e/"><title>One</title><link rel="alternate" href="x"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <br/>you.</p></div></content></entry></feed>`,
  ],
  ['text/plain', 'First line. Second sentence!\r\n\r\nThird line: 3 hours ago\n\fLast'],
  [
    'application/xhtml+xml',
    '<html><head><script src="x"/><title>t</title></head><body><p/>One<br/><a href="b"/>two</body></html>',
  ],
];

const TYPES = [
  HTML,
  'text/html',
  'text/html; charset=utf-16le|latin1',
  'text/html; charset=gb18030|latin1',
  'text/html; charset=iso-2022-jp|latin1',
  'text/html; charset=big5|latin1',
  '|latin1',
  '',
  ...new Set(DOCUMENTS.map(([type]) => type)),
];

/** What moves, nests or swallows in a parser, and what patterns and limits are made for. */
const PIECES = (
  '<p> </p> <div> </div> <b> </b> <a/href=x> <a/href=#y> </a> <table> <tr> <td> <th> </table> <ul> <li> <dl> <dd> <br> <hr> <pre> <h1> <h2> ' +
  '<title> <svg> <math> <template> <select> <option> <button> <form> <input> <frameset> <plaintext> <noscript> <style> </style> <script> </script> ' +
  '<!-- --> <![CDATA[ ]]> <? ?> <!DOCTYPE <base/href=":"> <meta/name=date/content= <time/datetime= <main> <article> <header> <footer> <nav> <aside> ' +
  'class="share/related-posts" id=comments hidden role=navigation aria-hidden=true style="display:none" itemprop=name itemscope itemtype=http://schema.org/ListItem ' +
  '&amp; &#xD800; &#0; &#x1F600; &nbsp; &shy; &notit; & < > " \' = / { } [ ] , : "@type": "@graph": {"@id":"#a"} \\ud800 \\udc00 \\u0000 \\n \\" null 1e999 -0 ' +
  'xml:base="//" xmlns="y" xmlns:x= <item> <entry> <channel> <content:encoded> <link/> ' +
  '* ** _ ` ``` ~~ > - # 1. | [a](b) ![ ]( [a]: --- === ' +
  '1 13 2026 2026-02-13 13.02.2026 10:30 Feb févr. 年 $ € 3,50 . ... ! ? 。 ； Mr. z. B. vs. © ago views 3 vor Stunden'
).split(' ');

const CHARACTERS = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\f',
  '\v',
  '\0',
  '\u00a0',
  '\u0085',
  '\u2028',
  '\u200b',
  '\u200d',
  '\u202e',
  '\ufeff',
  '\u00ad',
  '\ufffd',
  '\u3000',
  '\u0301',
  '\u{1D165}',
  '\u1100\u1161',
  'ก ก',
  '漢',
  '한',
  '😀',
  'İ',
  'ß',
  '\u0344',
  '\u2126',
  '\u009f',
];

function piece(dice: Dice): string {
  return dice() < 0.75 ? pick(dice, PIECES) : pick(dice, CHARACTERS);
}

function soup(dice: Dice): string {
  return times(1 + below(dice, 40), () => piece(dice)).join(pick(dice, ['', '', ' ', 'x']));
}

function documentOf(dice: Dice): { type: string; body: string } {
  const [type, body] = DOCUMENTS[below(dice, DOCUMENTS.length)] ?? [HTML, ''];
  return { type, body };
}

function mutate(text: string, dice: Dice): string {
  const start = below(dice, text.length + 1);
  const end = Math.min(text.length, start + below(dice, dice() < 0.8 ? 12 : 400));
  const [before, inside, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (below(dice, 8)) {
    case 0:
      return before + after;
    case 1:
    case 2:
      return before + piece(dice) + inside + after;
    case 3:
      return before + piece(dice) + after;
    case 4:
      return before + inside.repeat(2 + below(dice, 30)) + after;
    case 5:
      return after + inside + before;
    case 6:
      return before + documentOf(dice).body.slice(below(dice, 300)) + after;
    default:
      return before + String.fromCharCode(below(dice, 0x1_0000)) + after;
  }
}

/** A document in which one place is repeated very often, as it stands or inside itself. */
function heavy(body: string, dice: Dice): string {
  const start = below(dice, body.length + 1);
  const unit =
    dice() < 0.5
      ? body.slice(start, start + 1 + below(dice, 60))
      : times(1 + below(dice, 4), () => piece(dice)).join(pick(dice, ['', ' ', 'x']));
  const many = Math.ceil((10_000 + below(dice, 150_000)) / (unit.length + 1));
  return body.slice(0, start) + unit.repeat(many) + body.slice(start);
}

export function inputOf(seed: number, number: number): string {
  const dice = diceOf(seed, number);
  const found = documentOf(dice);
  let { type, body } = found;
  if (dice() < 0.25) body = soup(dice);
  for (let round = below(dice, 10); round > 0; round--) body = mutate(body, dice);
  if (dice() < 0.01) body = heavy(body, dice);
  if (dice() < 0.15) type = pick(dice, TYPES);
  return `${type}\n${body}`;
}
