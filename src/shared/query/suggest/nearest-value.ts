import { CATEGORIES } from '../../vocabulary/categories.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../vocabulary/languages.ts';
import { PAGE_TYPES } from '../../vocabulary/page-types.ts';
import type { VocabularyName } from '../fields.ts';
import { type Meant, misspelled } from './misspelling.ts';

const VALUES: Readonly<Record<VocabularyName, readonly string[]>> = {
  page_category: CATEGORIES,
  page_type: PAGE_TYPES,
  language: LANGUAGES,
};

const SETS = Object.fromEntries(
  Object.entries(VALUES).map(([name, values]) => [name, new Set(values)]),
) as unknown as Readonly<Record<VocabularyName, ReadonlySet<string>>>;

export function valuesOf(vocabulary: VocabularyName): readonly string[] {
  return VALUES[vocabulary];
}

export function isValue(vocabulary: VocabularyName, value: string): boolean {
  return SETS[vocabulary].has(value);
}

/** What was probably meant by a value outside the vocabulary; undefined when nothing is near in meaning. */
export function nearestValue(vocabulary: VocabularyName, value: string): Meant | undefined {
  return vocabulary === 'language' ? nearestLanguage(value) : nearestLabel(vocabulary, value);
}

const LONGEST_LANGUAGE = 64;
/** Beginnings of fewer letters are codes of other lists. */
const SHORTEST_NAME = 4;

/** `English`, `EN`, `en_GB` and `eng` are all `en`; two letters that are no code are nobody's. */
function nearestLanguage(written: string): Meant | undefined {
  const value = written.slice(0, LONGEST_LANGUAGE).trim().toLowerCase().replaceAll('_', '-');
  const words = value.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  for (const name of [value, ...words]) {
    const code = isValue('language', name) ? name : LANGUAGE_NAMES.get(name);
    if (code !== undefined) return { value: code, isSure: true };
  }
  const [word = ''] = words;
  if (word.length < SHORTEST_NAME) return undefined;
  const names = [...LANGUAGE_NAMES.keys()].filter((name) => name.length >= SHORTEST_NAME);
  const begun = names.filter((name) => name.startsWith(word));
  const name = begun.length > 0 ? begun[0] : misspelled(word, names);
  const code = name === undefined ? undefined : LANGUAGE_NAMES.get(name);
  return code === undefined ? undefined : { value: code, isSure: begun.length === 0 };
}

/**
 * The label that was meant by a path that is none. Words say more than letters, and what stands high says more than
 * what stands deep: whole words first (`/Business` is `/Business_and_Industrial`), then their beginnings (`/Invest`),
 * then spelling within a part of the path (`/Buisness`). A path is followed from its root, so `/Article/News` stays
 * below `/Article`; a part that nothing answers to leaves the label above it. What several labels answer to equally
 * well is none of them.
 */
function nearestLabel(vocabulary: LabelVocabulary, written: string): Meant | undefined {
  const segments = written
    .slice(0, LONGEST)
    .replace(/\*$/, '')
    .split('/')
    .map(nameOf)
    .filter(({ words }) => words.length > 0)
    .slice(0, DEEPEST);
  const [only, ...more] = segments;
  if (!only) return undefined;
  const tree = TREES[vocabulary];
  if (more.length === 0) return meant(find(only, tree, undefined));
  const below = along(segments, tree);
  if (below) return below;
  // Its root is none: a part of it may say it all.
  const last = find(segments.at(-1) ?? only, tree, undefined) ?? find(only, tree, undefined);
  return last && { value: last.label.path, isSure: false };
}

type LabelVocabulary = 'page_category' | 'page_type';

const LONGEST = 160;
const DEEPEST = 8;

/** A part of a path, taken apart. */
interface Name {
  /** Without what only joins words, so that `How to`, `how-to` and `HowTo` are one. */
  readonly letters: string;
  /** In the singular, without `and` and its kind. */
  readonly words: readonly string[];
  /** What `and` and commas part: `oil` and `gas`. */
  readonly parts: readonly string[];
}

interface Label extends Name {
  readonly path: string;
  /** 1 for a root. */
  readonly depth: number;
}

/** How a name was found, the closest first. */
const RANKS = ['exact', 'first part', 'first words', 'words', 'part', 'beginning', 'word', 'fewer words'] as const;
type Rank = (typeof RANKS)[number];

/** Those that say a little less than was written, or something besides: of them no two may be in question. */
const LOOSE: ReadonlySet<Rank> = new Set(['first words', 'words', 'beginning', 'word', 'fewer words']);

interface Found {
  readonly label: Label;
  readonly isSure: boolean;
}

function meant(found: Found | undefined): Meant | undefined {
  return found && { value: found.label.path, isSure: found.isSure };
}

/** Part after part, each below the one before; undefined when the first is no root. */
function along([first, ...rest]: readonly Name[], tree: readonly Label[]): Meant | undefined {
  const roots = tree.filter(({ depth }) => depth === 1);
  let found = first && find(first, roots, undefined);
  if (!found) return undefined;
  for (const name of rest) {
    const next: Found | undefined = find(name, below(found.label, tree), found.label);
    found = { label: next?.label ?? found.label, isSure: found.isSure && next?.isSure === true };
  }
  return meant(found);
}

function below(label: Label, tree: readonly Label[]): Label[] {
  return tree.filter(({ path }) => path.startsWith(`${label.path}/`));
}

/** @param parent the label below which all of `labels` stand, where one was named */
function find(name: Name, labels: readonly Label[], parent: Label | undefined): Found | undefined {
  const known = byMeaning(name, labels, parent);
  if (known) return known;
  const spelled = corrected(name, labels);
  return (spelled && byMeaning(spelled, labels, parent)) ?? joinedUp(name, labels);
}

function byMeaning(name: Name, labels: readonly Label[], parent: Label | undefined): Found | undefined {
  const root = labels.find((label) => label.depth === 1 && label.letters === name.letters);
  if (root) return { label: root, isSure: true };
  const paths = OTHER_NAMES.get(name.words.join(' '));
  const other = paths && labels.find(({ path }) => paths.includes(path));
  // Hardly ever quite the same.
  return other ? { label: other, isSure: false } : byWords(name, labels, parent);
}

function byWords(name: Name, labels: readonly Label[], parent: Label | undefined): Found | undefined {
  const { rank, best } = closest(name, labels, parent);
  const [first] = best;
  if (!first || rank === undefined) return undefined;
  if (LOOSE.has(rank)) {
    const label = theOne(best, parent);
    return label && { label, isSure: parent !== undefined && label !== parent };
  }
  // `/Training` is the second thing that one label speaks of, and others speak of it too.
  const isAside = rank === 'part' && parent === undefined && first.depth > 1;
  if (isAside && speakOf(name, labels, first.depth) > 1) return undefined;
  return { label: first, isSure: best.length === 1 };
}

interface Closest {
  readonly rank: Rank | undefined;
  /** All that are equally close. */
  readonly best: readonly Label[];
}

/** What stands high comes before what is close; of names that say less than was written, the one that says most. */
function closest(name: Name, labels: readonly Label[], parent: Label | undefined): Closest {
  let best: Label[] = [];
  let least = Infinity;
  let found: Rank | undefined;
  for (const label of labels) {
    const rank = rankOf(name, label, parent);
    if (rank === undefined) continue;
    const key = (rank === 'fewer words' ? 1_000 - 50 * label.words.length : 0) + 10 * label.depth + RANKS.indexOf(rank);
    if (key > least) continue;
    if (key < least) best = [];
    best.push(label);
    least = key;
    found = rank;
  }
  return { rank: found, best };
}

function speakOf({ words }: Name, labels: readonly Label[], deepest: number): number {
  const found = labels.filter((label) => label.depth <= deepest && words.every((word) => label.words.includes(word)));
  return new Set(found.map(({ letters }) => letters)).size;
}

/** The only one, or the one that says least besides; what stands above them where no one does. */
function theOne(labels: readonly Label[], parent: Label | undefined): Label | undefined {
  const fewest = Math.min(...labels.map(({ words }) => words.length));
  const plain = labels.filter(({ words }) => words.length === fewest);
  const [first] = plain;
  // One name in two families: `/Listing/Job` and `/Listing_Collection/Job`.
  return plain.every(({ letters }) => letters === first?.letters) ? first : parent;
}

function rankOf(name: Name, label: Label, parent: Label | undefined): Rank | undefined {
  const { words } = label;
  const written = name.words.join(' ');
  if (label.letters === name.letters || written === words.join(' ')) return 'exact';
  const [first = '', ...others] = label.parts;
  if (first === written) return 'first part';
  if (others.includes(written)) return 'part';
  // A distant leaf that merely has the word in it is about something else.
  return label.depth > (parent ? parent.depth + 1 : 2) ? undefined : looseRank(name.words, label, parent !== undefined);
}

function looseRank(written: readonly string[], { words }: Label, isNamed: boolean): Rank | undefined {
  const [word = '', ...more] = written;
  if (more.length === 0) return oneWordRank(word, words, isNamed);
  if (written.every((one, at) => words[at] === one)) return 'first words';
  if (written.every((one) => words.includes(one))) return 'words';
  return words.every((one) => written.includes(one)) ? 'fewer words' : undefined;
}

function oneWordRank(word: string, words: readonly string[], isNamed: boolean): Rank | undefined {
  if (isNamed && words.includes(word)) return words[0] === word ? 'first words' : 'word';
  if (GENERIC.has(word)) return undefined;
  if (words[0] === word) return 'first words';
  return word.length >= SHORTEST_BEGINNING && words[0]?.startsWith(word) === true ? 'beginning' : undefined;
}

/** Fewer letters begin too many words: `/Foo` is no food. */
const SHORTEST_BEGINNING = 4;

/** They say nothing of what it is about. */
const GENERIC: ReadonlySet<string> = new Set([
  'service',
  'equipment',
  'resource',
  'general',
  'page',
  'special',
  'public',
]);

/** The name with each word that is none of theirs as the one that it is a misspelling of; undefined where one is not. */
function corrected(name: Name, labels: readonly Label[]): Name | undefined {
  const known = new Set(labels.flatMap(({ words }) => words));
  for (const [other, paths] of OTHER_NAMES) {
    if (!other.includes(' ') && labels.some(({ path }) => paths.includes(path))) known.add(other);
  }
  const candidates = [...known];
  const words = name.words.map((word) => (known.has(word) ? word : slip(word, candidates)));
  if (!words.every((word) => word !== undefined)) return undefined;
  return { letters: words.join(''), words, parts: [words.join(' ')] };
}

/** Up to here a word with another first letter is another word. */
const SHORT = 5;

function slip(word: string, known: readonly string[]): string | undefined {
  return misspelled(word, word.length > SHORT ? known : known.filter((one) => one[0] === word[0]));
}

/** `technologynws`: the whole of a name, with what parts its words left out. */
function joinedUp({ letters }: Name, labels: readonly Label[]): Found | undefined {
  const near =
    letters.length > SHORT
      ? misspelled(
          letters,
          labels.map((label) => label.letters),
        )
      : undefined;
  const label = near === undefined ? undefined : labels.find((one) => one.letters === near);
  return label && { label, isSure: true };
}

function nameOf(written: string): Name {
  const text = written
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/(?<![a-z])&(?![a-z])/g, ' and ');
  const parts = text
    .split(/[_\s]+(?:and|or)[_\s]+|,/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  const words = parts.flat();
  return { letters: words.join(''), words, parts: parts.map((part) => part.join(' ')) };
}

function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}&+']+/u)
    .filter((word) => word !== '' && !JOINING.has(word))
    .map(singular);
}

const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'of', 'the']);

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !/[suio]s$/.test(word) ? word.slice(0, -1) : word;
}

function treeOf(paths: readonly string[]): readonly Label[] {
  return paths.map((path) => {
    const segments = path.split('/');
    return { path, depth: segments.length - 1, ...nameOf(segments.at(-1) ?? '') };
  });
}

const TREES: Readonly<Record<LabelVocabulary, readonly Label[]>> = {
  page_category: treeOf(CATEGORIES),
  page_type: treeOf(PAGE_TYPES),
};

/** A label a line, and what else it is called: what no letters would lead to. Of both vocabularies; no label is in both. */
const TABLE = `
/Arts_and_Entertainment: culture | show business | showbiz | celebrity
/Arts_and_Entertainment/Movies: film | cinema
/Arts_and_Entertainment/TV_and_Video: television | streaming
/Autos_and_Vehicles: car | automobile | automotive | driving | motoring
/Business_and_Industrial: biz | company | corporate | enterprise | industry | trade
/Business_and_Industrial/Small_Business: startup | entrepreneurship
/Computers_and_Electronics: computing | gadget | it
/Computers_and_Electronics/Computer_Security: security | cybersecurity | infosec | hacking
/Computers_and_Electronics/Programming: coding | developer | software development
/Finance: financial | money | economy | economics | fintech
/Finance/Investing: crypto | cryptocurrency | bitcoin | blockchain | stock market | trading
/Arts_and_Entertainment/Visual_Art_and_Design/Photographic_and_Digital_Arts: photography | photo
/Food_and_Drink: cuisine | dining
/Food_and_Drink/Beverages/Alcoholic_Beverages: wine | beer | spirit
/Games: gaming | videogame
/Health: medicine | medical | healthcare | wellness
/Internet_and_Telecom: web | telecommunication | mobile
/Jobs_and_Education: career | employment | hiring | recruiting | recruitment | work | school | university
/Law_and_Government: court | justice | regulation | policy
/Law_and_Government/Military: army | defense | defence
/News: headline | journalism
/News/Politics: election
/News/Technology_News: tech
/News/World_News: world | international
/Online_Communities/Social_Networks: social media
/People_and_Society: community | lifestyle | family
/Real_Estate: housing | property
/Science: research
/Science/Computer_Science: ai | artificial intelligence | machine learning
/Science/Ecology_and_Environment: climate | climate change | nature | sustainability
/Shopping: ecommerce | store | deal
/Adult: nsfw | porn | xxx
/Sensitive_Subjects/Firearms_and_Weapons: gun
/Sports/Team_Sports: football
/Travel_and_Transportation: tourism | flight | transport | vacation
/Article: post | blog post | editorial content
/Article/News_Update: press release | announcement | breaking news
/Article/Tutorial_or_Guide: documentation | doc | walkthrough
/Core_Page/About_Page: company profile | team
/Core_Page/Careers_Page: job board | vacancy
/Core_Page/Homepage: front page | index
/Core_Page/Privacy_Policy_Page: gdpr | cookie policy
/Core_Page/T&C_Page: term | tos | term service | term condition | legal
/Document: pdf
/Image: picture | photo
/Interactive_Tools: tool | app
/Landing_Page: marketing page
/Landing_Page/Pricing_Page: price | plan
/Listing/Product: item
/User_Generated_Content/Q&A: q and a | question and answer
/User_Generated_Content: ugc
/User_Generated_Content/Forum_Thread: thread | board
`;

const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = otherNames();

function otherNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of TABLE.trim().split('\n')) {
    const [path = '', others = ''] = line.split(': ');
    for (const other of others.split(' | ')) {
      const name = nameOf(other).words.join(' ');
      names.set(name, [...(names.get(name) ?? []), path]);
    }
  }
  return names;
}
