/**
 * The pictographs of Emoji 11, inside a character class. Unicode has since taken the property from those that never
 * became emoji (★, ♪), which must stay searchable.
 */
export const PICTOGRAPHS =
  '\\p{Extended_Pictographic}\\u2600-\\u2605\\u2607-\\u2685\\u2690-\\u2705\\u2708-\\u2712\\u2763-\\u2767' +
  '\\u{1F000}-\\u{1F0FF}\\u{1F249}-\\u{1F3FA}\\u{1F400}-\\u{1F53D}\\u{1F546}-\\u{1F64F}\\u{1F680}-\\u{1F6FF}';

/** One pictograph with its variation selector, skin tones and tags. */
const PICTURE = `[${PICTOGRAPHS}][\\uFE0E\\uFE0F]?[\\p{Emoji_Modifier}\\u{E0020}-\\u{E007F}]*`;

/** Emoji of several characters: flags, keycaps, and pictographs held together by joiners. */
export const EMOJI = new RegExp(
  `^(?:(?:\\p{RI}{2}|[#*]\\uFE0F?\\u20E3)[\\p{M}\\p{Cf}]*|${PICTURE}(?:\\u200D${PICTURE})*\\u200D?)`,
  'u',
);
