import { describe, expect, test } from 'vitest';
import { animatedSvg } from '../../scripts/recording-frames.ts';

const stage = { columns: 20, rows: 2, title: 'a <test>', rest: 1_000 };
const svg = animatedSvg(
  [
    { at: 5, text: 'plain & simple' },
    { at: 1_000, text: '\u001b[32m+ green\u001b[39m \u001b[1mbold\u001b[22m end' },
    { at: 1_100, text: 'a line that is longer than the terminal' },
  ],
  stage,
);

describe('a recording', () => {
  test('shows the colours of the terminal, and cuts at its edge', () => {
    expect(svg).toContain('<tspan class="green">+ green</tspan> <tspan class="bold">bold</tspan> end</text>');
    expect(svg).toContain('>a line that is long…</text>');
    expect(svg).not.toContain('\u001b');
  });

  test('shows together what came together, and moves up when the window is full', () => {
    expect(svg.match(/@keyframes b\d/g)).toEqual(['@keyframes b1']);
    expect(svg).toContain('@keyframes b1{0%{visibility:hidden}50.00%{visibility:visible}}');
    expect(svg).toContain('@keyframes page{0.00%{transform:translateY(0)}50.00%{transform:translateY(-18px)}}');
  });

  test('needs nothing from elsewhere, and what is shown is text', () => {
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|<script|@import|url\((?!#)/);
    expect(svg).toContain('plain &amp; simple');
    expect(svg).toContain('a &lt;test&gt;');
  });
});
