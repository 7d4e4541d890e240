import type { Page } from '../page/page.ts';
import { adultOf } from './adult/adult.ts';
import { type Categories, categoriesOf, loadCategories } from './category/category.ts';
import type { Label, Labels } from './label.ts';
import { type Languages, loadLanguages } from './language/language.ts';
import { languageOfPage } from './page-language.ts';
import { pageTypesOf } from './page-type/page-type.ts';

/** All labels of a page. */
export async function labels(page: Page): Promise<Labels> {
  return (await labeller())(page);
}

/**
 * What labels pages at once, for those who learn late whether they need it. The model data, a few megabytes, is read when
 * it is first asked for.
 */
export async function labeller(): Promise<(page: Page) => Labels> {
  loading ??= load();
  const models = await loading;
  return (page) => labelled(page, models);
}

interface Models {
  readonly languages: Languages;
  readonly categories: Categories;
}

let loading: Promise<Models> | undefined;

async function load(): Promise<Models> {
  const [languages, categories] = await Promise.all([loadLanguages(), loadCategories()]);
  return { languages, categories };
}

function labelled(page: Page, { languages, categories }: Models): Labels {
  const language = languageOfPage(page, languages);
  const adult = adultOf(page, language?.value);
  return {
    ...(language && { language }),
    pageTypes: pageTypesOf(page),
    categories: withAdult(categoriesOf(page, language?.value, categories), adult),
  };
}

/** An adult page is one of that category first, whatever else it is about: rules leave it out unless they ask for it. */
function withAdult(categories: readonly Label[], reason: string | undefined): readonly Label[] {
  if (reason === undefined) return categories;
  return [{ value: ADULT, reason }, ...categories.filter(({ value }) => value !== ADULT)];
}

const ADULT = '/Adult';
