const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `published 3 days ago`, for an age in seconds; rounded down, in the largest unit of which it has two. */
export function howLongAgo(age: number): string {
  const seconds = Math.floor(Math.abs(age));
  const [size, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  const span = `${count} ${name}${count === 1 ? '' : 's'}`;
  return age < 0 ? `published ${span} from now` : `published ${span} ago`;
}
