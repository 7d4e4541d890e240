import { html, type Html } from './html.ts';

const [WIDTH, HEIGHT] = [240, 40];
/** At both ends, so that a point there is seen whole. */
const INSET = 3;

/** A line of numbers as SVG, from the oldest to the newest; `undefined` is a time of which nothing is known. `label`: what it says, in words. */
export function sparkline(values: readonly (number | undefined)[], label: string): Html {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = (WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const y = (value: number): string => (HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1);
  let isDrawing = false;
  const path = values.map((value, index) => {
    if (value === undefined) {
      isDrawing = false;
      return '';
    }
    const place = `${(INSET + index * step).toFixed(1)} ${y(value)}`;
    if (isDrawing) return `L${place}`;
    isDrawing = true;
    // A point that stands alone is seen, too.
    return `M${place}h.01`;
  });
  return html`<svg
    class="spark"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <path d="${path.join('')}" />
  </svg>`;
}
