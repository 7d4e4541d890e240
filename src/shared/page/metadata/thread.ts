import { type BylineBlock, bylineDate, lineOf } from './byline.ts';
import type { PublishTime } from '../page.ts';

/**
 * When a thread of a forum began: the day of the post that is numbered as the first, and else of the first of several
 * posts, where none is older than the one before it. A list of threads has the youngest first, or names many times without
 * a text between them; a later page of a thread says which it is.
 */
export function threadBegan(
  blocks: readonly BylineBlock[],
  {
    url,
    title = '',
    language,
  }: { readonly url: string; readonly title?: string | undefined; readonly language?: string | undefined },
): PublishTime | undefined {
  const content = blocks.filter(({ zone, kind }) => zone !== 'chrome' && kind !== 'heading');
  return numbered(content, language) ?? (isForum(url) && !LATER.test(title) ? oldest(content, language) : undefined);
}

function isForum(url: string): boolean {
  const address = URL.parse(url);
  return address !== null && FORUM.test(`${address.hostname}${address.pathname}`);
}

const FORUM =
  /forum|foren|foro(?:s|\b)|fora\b|thread|topic|discussion|viewtopic|\bboards?\b|bbs|sujet|debat|tema\b|temat\b|konu\b/i;
/** Of a page behind the first. */
const LATER =
  /(?<!\p{L})(?:page|p\.|seite|página|pagina|strona|strana|страница|сторінка|sayfa|sida|side|صفحه|الصفحة) ?(?:[2-9]|\d{2,})(?!\d)/iu;

/** By its number, in its line or in the nearest to that. */
function numbered(blocks: readonly BylineBlock[], language: string | undefined): PublishTime | undefined {
  const at = blocks.findIndex(({ text }) => isNumberedFirst(text));
  const line = blocks[at];
  if (!line) return undefined;
  for (const distance of line.text.length > NUMBER ? [0] : NEAR) {
    const time = timeIn(blocks[at + distance], language);
    if (time) return time;
  }
  return undefined;
}

function isNumberedFirst(text: string): boolean {
  return text.length <= LINE && text.includes('1') && NUMBERED.test(text) && !ANSWER.test(text);
}

/** `post #1 of 23`, `04-25-2015, 09:47 PM #1`. */
const NUMBERED = /(?:^|[\s(])#\s?1(?![\d.,])|(?<!\p{L})post (?:no\.? ?)?#?1(?: of \d+)?(?![\d.,])/iu;
/** Answers may have numbers of their own. */
const ANSWER =
  /(?:repl|respon|comment|antwort|komment|répon|respu|respo|rispo|ответ|відпов|yanıt|cevap|antwoord|svar|odpow|odpov|vastau|válasz)\p{L}* ?(?:no\.? ?)?#?\s?1(?!\d)/iu;
/** Characters of a number that stands alone, and the lines around it, nearest first. */
const NUMBER = 20;
const NEAR = [0, 1, -1, 2, -2, 3, -3];

function oldest(blocks: readonly BylineBlock[], language: string | undefined): PublishTime | undefined {
  const posts: { readonly time: PublishTime; readonly text: number }[] = [];
  let text = 0;
  for (const block of blocks) {
    const time = timeIn(block, language);
    if (time) posts.push({ time, text });
    text = time ? 0 : text + block.size - block.linked;
    if (posts.length === POSTS) break;
  }
  const [first, ...answers] = posts;
  const isInOrder = answers.every(({ time }, index) => time.instant >= (posts[index]?.time.instant ?? 0));
  const written = answers.filter((post) => post.text >= TEXT);
  return answers.length >= ANSWERS && isInOrder && 2 * written.length >= answers.length ? first?.time : undefined;
}

function timeIn(block: BylineBlock | undefined, language: string | undefined): PublishTime | undefined {
  return block && block.text.length <= LINE && DIGIT.test(block.text)
    ? bylineDate(lineOf(block), language)?.time
    : undefined;
}

const DIGIT = /\p{Nd}/u;
/** Characters of a line that dates a post, and of a text between two of them. */
const LINE = 160;
const TEXT = 60;
/** Posts that are looked at, and answers that make a thread. */
const POSTS = 12;
const ANSWERS = 2;
