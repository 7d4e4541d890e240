/** Columns of a text with wide or combining characters, or emoji: `table.ts` loads it with the first text that has some. */
export { default as columnsOf } from 'string-width';
