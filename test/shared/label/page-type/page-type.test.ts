import { describe, expect, test } from 'vitest';
import { pageTypesOf } from '../../../../src/shared/label/page-type/page-type.ts';
import { NO_FACTS, type Anchor, type Facts, type Page, type Segment } from '../../../../src/shared/page/page.ts';
import { PAGE_TYPES } from '../../../../src/shared/vocabulary/page-types.ts';

function pageOf(path: string, title: string, facts: Partial<Facts> = {}, rest: Partial<Page> = {}): Page {
  const url = `https://site.example${path}`;
  return { url, title, segments: [], anchors: [], links: [], ...rest, facts: { ...NO_FACTS, ...facts } };
}

const valuesOf = (page: Page): string[] => pageTypesOf(page).map(({ value }) => value);
const schema = (...schemaTypes: string[]): Partial<Facts> => ({ schemaTypes });
const og = (ogType: string): Partial<Facts> => ({ ogType });
const text = (words: string): Segment => ({ text: words, kind: 'sentence', zone: 'main' });
const link = (path: string): Anchor => ({ href: `https://site.example${path}`, text: 'more', zone: 'main' });
const many = <Kind>(count: number, one: (at: number) => Kind): Kind[] =>
  Array.from({ length: count }, (_, at) => one(at));

/** A page of each kind, as short as one can be. */
const SAMPLES: Readonly<Record<string, Page>> = {
  '/Listing': pageOf('/x', 'X', schema('Product', 'Offer')),
  '/Listing/Product': pageOf('/lamp-7', 'A lamp', schema('Product', 'Offer')),
  '/Listing/Property': pageOf('/x', 'Two rooms by the sea', schema('Apartment')),
  '/Listing/Job': pageOf('/stellenangebote/gaertner', 'Gärtner'),
  '/Listing/Service': pageOf('/x', 'Roof repair', schema('Service')),
  '/Listing/Event': pageOf('/x', 'An evening of chamber music', schema('MusicEvent')),
  '/Listing/Location': pageOf('/x', 'The old bridge', schema('TouristAttraction')),
  '/Listing/Business': pageOf('/x', 'Golden Fork', schema('Restaurant', 'AggregateRating')),
  '/Listing_Collection': pageOf('/x', 'All of them', schema('ItemList')),
  '/Listing_Collection/Product': pageOf(
    '/lamps',
    'Lamps',
    {},
    { segments: many(9, (at) => text(`Lamp ${at} € ${at},90`)), anchors: many(12, (at) => link(`/lamp-${at}`)) },
  ),
  '/Listing_Collection/Property': pageOf('/inmuebles', 'Inmuebles'),
  '/Listing_Collection/Job': pageOf('/ofertas-de-empleo', 'Ofertas'),
  '/Listing_Collection/Service': pageOf('/find-a-service', 'Find a service'),
  '/Listing_Collection/Event': pageOf('/veranstaltungen', 'Termine im Mai'),
  '/Listing_Collection/Location': pageOf('/filialen', 'Unsere Filialen'),
  '/Listing_Collection/Business': pageOf('/x', '48 Restaurants in Little Town'),
  '/Article': pageOf('/x', 'X', og('article')),
  '/Article/How_to': pageOf('/x', 'How to mend a bicycle tube', og('article')),
  '/Article/Tutorial_or_Guide': pageOf('/x', 'The complete guide to bread', og('article')),
  '/Article/Listicle': pageOf('/x', '7 schöne Orte am Meer', og('article')),
  '/Article/Comparisons': pageOf('/x', 'Gas vs. induction', og('article')),
  '/Article/Roundup': pageOf('/x', 'Rugby: the week in review', og('article')),
  '/Article/Product_or_Brand_Review': pageOf('/x', 'Lamp 3000 review: bright', og('article')),
  '/Article/Opinion_Piece': pageOf('/x', 'Less noise, please', schema('OpinionNewsArticle')),
  '/Article/News_Update': pageOf('/x', 'Bridge opens', schema('NewsArticle')),
  '/Article/Thought_Leadership': pageOf('/insights/steel', 'What steel needs now', og('article')),
  '/Article/Story': pageOf('/x', 'The miller', schema('ShortStory')),
  '/Article/Recipe': pageOf('/x', 'Leek soup', schema('Recipe')),
  '/Article/FAQ': pageOf('/x', 'Questions on leeks', schema('FAQPage')),
  '/Article/Checklists': pageOf('/x', 'Checkliste für den Umzug', og('article')),
  '/Article/Study_or_Research_Findings': pageOf('/x', 'Leaf counts', schema('ScholarlyArticle')),
  '/Article/Definitions': pageOf('/lexikon/anker', 'Anker'),
  '/Article/Wiki': pageOf('/x', 'Leek', { generator: 'MediaWiki 1.41' }),
  '/Landing_Page': pageOf('/lp/spring', 'Spring'),
  '/Landing_Page/Service_Page': pageOf('/leistungen/dachdecken', 'Dächer'),
  '/Landing_Page/Location_Page': pageOf('/standorte/kiel', 'In Kiel'),
  '/Landing_Page/Product_Page': pageOf('/product', 'What it does'),
  '/Landing_Page/Course_Sales_Page': pageOf('/x', 'Learn to weave', schema('Course')),
  '/Landing_Page/Product_Feature_Page': pageOf('/features', 'What it can do'),
  '/Landing_Page/Pricing_Page': pageOf('/tarifs', 'Nos tarifs'),
  '/Interactive_Tools': pageOf('/tools/units', 'Units'),
  '/Interactive_Tools/Calculator': pageOf('/x', 'Zinsrechner'),
  '/Interactive_Tools/SaaS_Software': pageOf('/x', 'Planner', schema('WebApplication')),
  '/Interactive_Tools/Map': pageOf('/stadtplan', 'Kiel'),
  '/Interactive_Tools/Quiz': pageOf('/x', 'Which tree?', schema('Quiz')),
  '/Interactive_Tools/Poll': pageOf('/umfrage', 'Was meinen Sie?'),
  '/Interactive_Tools/Simulator': pageOf('/x', 'Bridge simulator'),
  '/Interactive_Tools/Generator': pageOf('/x', 'Password generator'),
  '/Interactive_Tools/Configurator': pageOf('/x', 'Fahrradkonfigurator'),
  '/Image': pageOf('/x', 'X', og('image')),
  '/Image/Infographic': pageOf('/x', 'Water: an infographic'),
  '/Image/Mapographic': pageOf('/x', 'Rivers, a map infographic'),
  '/Image/Photography': pageOf('/x', 'Dunes', schema('ImageGallery')),
  '/Image/Vector_Illustration': pageOf('/x', 'Oak leaf vector illustration'),
  '/Image/Meme': pageOf('/memes/cat', 'Cat'),
  '/Image/Diagram': pageOf('/x', 'Doorbell wiring diagram'),
  '/Image/Flowchart': pageOf('/x', 'Onboarding flowchart'),
  '/Audio': pageOf('/x', 'X', schema('AudioObject')),
  '/Audio/Podcast': pageOf('/x', 'Leeks', schema('PodcastEpisode')),
  '/Audio/Webinar': pageOf('/x', 'Webinar: leeks', schema('AudioObject')),
  '/Audio/Interview': pageOf('/x', 'Interview mit der Gärtnerin', schema('AudioObject')),
  '/Audio/Sound_Byte': pageOf('/x', 'Rain sound effect', schema('AudioObject')),
  '/Audio/Music': pageOf('/x', 'Rain', schema('MusicRecording')),
  '/Audio/Audiobook': pageOf('/x', 'The miller', schema('Audiobook')),
  '/Audio/Commentary': pageOf('/x', 'The final, with commentary', schema('AudioObject')),
  '/Document': pageOf('/x.pdf', 'X'),
  '/Document/Case_Study': pageOf('/case-studies/mill', 'A mill saves water'),
  '/Document/Ebook': pageOf('/x.epub', 'The miller'),
  '/Document/White_Paper': pageOf('/x.pdf', 'White paper on leeks'),
  '/Document/Slide_Deck': pageOf('/x.pptx', 'Leeks'),
  '/Document/Research_Paper': pageOf('/x.pdf', 'Working paper 12: leeks'),
  '/Document/Template': pageOf('/vorlagen/rechnung', 'Rechnung'),
  '/Document/Report': pageOf('/x.pdf', 'Annual report'),
  '/Document/Manual': pageOf('/x.pdf', 'Bedienungsanleitung'),
  '/Document/Worksheet': pageOf('/worksheets/fractions', 'Fractions'),
  '/User_Generated_Content': pageOf('/forum/12/leeks', 'Leeks'),
  '/User_Generated_Content/Forum_Thread': pageOf('/viewtopic.php?t=12', 'My leeks'),
  '/User_Generated_Content/Discussions': pageOf(
    '/x',
    'Garden',
    {},
    { anchors: many(9, (at) => link(`/threads/no-${at}-x`)) },
  ),
  '/User_Generated_Content/Social_Media_Post': pageOf('/@gardener/1234567890', 'Leeks!'),
  '/User_Generated_Content/Reviews': pageOf('/bewertungen', 'Was Kunden sagen'),
  '/User_Generated_Content/Testimonials': pageOf('/kundenstimmen', 'Stimmen'),
  '/User_Generated_Content/Comments': pageOf('/leeks/comments', 'What readers say'),
  '/User_Generated_Content/Q&A': pageOf('/x', 'Why do leeks bolt?', schema('QAPage')),
  '/Core_Page': pageOf('/login', 'Log in'),
  '/Core_Page/Homepage': pageOf('/', 'Site'),
  '/Core_Page/About_Page': pageOf('/quienes-somos', 'Quiénes somos'),
  '/Core_Page/Contact_Page': pageOf('/x', 'お問い合わせ | Site'),
  '/Core_Page/FAQ_Page': pageOf('/veelgestelde-vragen', 'Vragen'),
  '/Core_Page/Blog_Index': pageOf('/blog/page/3', 'Blog'),
  '/Core_Page/Services_Page': pageOf('/servizi', 'I nostri servizi'),
  '/Core_Page/Portfolio_Page': pageOf('/our-work', 'Our work'),
  '/Core_Page/Careers_Page': pageOf('/karriere', 'Karriere'),
  '/Core_Page/Privacy_Policy_Page': pageOf('/x', 'Политика конфиденциальности'),
  '/Core_Page/T&C_Page': pageOf('/legal/利用規約', '利用規約'),
};

/** Values that some kind of video has too, by the same words of the title. */
const VIDEOS: Readonly<Record<string, string>> = {
  How_to: 'How to prune a pear',
  Tutorial_or_Guide: 'Weaving tutorial',
  Listicle: 'Top 10 of bridges',
  Comparisons: 'Gas versus induction: a comparison',
  Compilation: 'Falling apples, a compilation',
  Roundup: 'Garden roundup',
  Product_or_Brand_Review: 'Lamp 3000 review',
  Opinion_Piece: 'Opinion: less noise',
  News_Update: 'Breaking news from the harbour',
  Thought_Leadership: 'The future of work in small business',
  Story: 'The story of a mill',
  Recipe: 'Leek soup recipe',
  Interview: 'Interview with a miller',
  Webinar: 'Webinar on leeks',
  Vlog: 'A day at the mill, vlog 4',
};

describe('every value of the vocabulary', () => {
  const videos = PAGE_TYPES.filter((value) => /^\/Video(?:\/|$)/.test(value));

  test('has a page that reaches it', () => {
    const named = [...Object.keys(SAMPLES), '/Video', ...Object.keys(VIDEOS).map((name) => `/Video/${name}`)];
    expect(named.toSorted()).toEqual([...PAGE_TYPES].toSorted());
  });

  test.each(Object.entries(SAMPLES))('%s is reached', (value, page) => {
    expect(valuesOf(page)).toContain(value);
  });

  test.each(videos)('%s is reached', (value) => {
    const title = VIDEOS[value.slice('/Video/'.length)] ?? 'Ducks on a pond';
    expect(valuesOf(pageOf('/x', title, og('video.other')))).toContain(value);
  });

  test.each(Object.values(SAMPLES))('comes with its parent, each once ($title)', (page) => {
    const labels = valuesOf(page);
    expect(new Set(labels).size).toBe(labels.length);
    for (const [at, label] of labels.entries()) {
      const root = label.slice(0, label.indexOf('/', 1) === -1 ? undefined : label.indexOf('/', 1));
      expect(labels.slice(at)).toContain(root);
      expect(PAGE_TYPES).toContain(label);
    }
  });
});

describe('what every site of a kind has', () => {
  const first = (page: Page): string | undefined => valuesOf(page)[0];
  const written = (...texts: string[]): Partial<Page> => ({ segments: texts.map(text) });
  const posts = ['Joined: May 2004', 'Posts: 12', 'Quote', 'Joined: June 2011', 'Posts: 190', 'Quote'];
  const boards = ['Topics', 'Posts', 'Last post', '120 Topics', '988 Posts', 'Last post by miller'];
  const cart: Partial<Page> = { links: ['https://site.example/cart'] };

  test('a forum counts posts and says who joined when, in any of its languages', () => {
    expect(first(pageOf('/x', 'Leeks', {}, written(...posts)))).toBe('/User_Generated_Content/Forum_Thread');
    expect(first(pageOf('/x', 'Garden', {}, written(...boards)))).toBe('/User_Generated_Content/Discussions');
    const german = ['Themen', 'Beiträge', 'Letzter Beitrag', 'Themen: 12', 'Beiträge: 90', 'Letzter Beitrag'];
    expect(first(pageOf('/x', 'Garten', {}, written(...german)))).toBe('/User_Generated_Content/Discussions');
  });

  test('a forum at the root of its site is a forum, a magazine with some threads is not', () => {
    expect(first(pageOf('/', 'Garden', {}, written(...boards)))).toBe('/User_Generated_Content/Discussions');
    const threads = many(8, (at) => link(`/threads/no-${at}-x`));
    const rest = many(60, (at) => link(`/stories/no-${at}`));
    expect(first(pageOf('/', 'Garden', {}, { anchors: [...threads, ...rest] }))).toBe('/Core_Page/Homepage');
  });

  test('an article that leads to topics stays one', () => {
    const anchors = many(9, (at) => link(`/topic/theme-${at}`));
    expect(first(pageOf('/x', 'Bridge opens', og('article'), { anchors }))).toBe('/Article');
  });

  test('a shop sorts and filters what it lists, and says of one thing how many there are', () => {
    const offers = many(9, (at) => `Lamp ${at} € ${at},90`);
    const list = written('Sort by', 'Items per page', 'Filter', ...offers);
    expect(first(pageOf('/x', 'Lamps', schema('Product', 'Offer'), list))).toBe('/Listing_Collection/Product');
    const one = { ...written('Quantity', 'SKU: 12', 'Availability: in stock', ...offers), ...cart };
    expect(first(pageOf('/x', 'A lamp', {}, one))).toBe('/Listing/Product');
  });

  test('prices in a text make no list of offers', () => {
    const prose = many(9, (at) => text(`${'We have looked at many lamps, and at what they cost. '.repeat(4)}(${at})`));
    const prices = many(6, (at) => text(`Lamp ${at}: € ${at},90`));
    const anchors = many(12, (at) => link(`/lamp-${at}`));
    const page = pageOf('/x', 'Lamps we like', {}, { segments: [...prose, ...prices], anchors });
    expect(valuesOf(page)).not.toContain('/Listing_Collection/Product');
  });

  test('a recipe has ingredients with amounts', () => {
    const page = written('Zutaten', '200 g Mehl', '½ TL Salz', '2 EL Öl', 'Alles verrühren.');
    expect(first(pageOf('/x', 'Fladenbrot', {}, page))).toBe('/Article/Recipe');
  });

  test('a wiki can be edited', () => {
    const links = ['?title=Leek&action=edit', '?title=Leek&action=history'].map(
      (query) => `https://site.example/${query}`,
    );
    const page = pageOf('/x', 'Leek', {}, { ...written('The leek is a vegetable. '.repeat(8)), links });
    expect(first(page)).toBe('/Article/Wiki');
  });

  test('homes have rooms and areas', () => {
    expect(first(pageOf('/x', 'Harbour road 7', {}, written('3 bedrooms', '2 baths', '84 m²')))).toBe(
      '/Listing/Property',
    );
  });

  test('a list of events names days, and a price of a ticket makes no shop', () => {
    const days = many(8, (at) => `Fri ${at + 1} May, 19:30 – at the mill, € 12`);
    expect(first(pageOf('/x', 'Concerts at the mill', {}, written(...days)))).toBe('/Listing_Collection/Event');
  });

  test('an article about podcasts is no podcast, an episode on a site of podcasts is', () => {
    const links = ['https://podcasts.apple.com/podcast/1'];
    expect(first(pageOf('/x', 'Podcasts we like - Harbour News', schema('Article'), { links }))).toBe('/Article');
    expect(first(pageOf('/x', 'Leeks - Garden Podcast', schema('Article'), { links }))).toBe('/Audio/Podcast');
  });
});

describe('what speaks loudest', () => {
  const prices = many(12, (at) => text(`Lamp ${at} – € ${at},90`));
  const first = (page: Page): string | undefined => valuesOf(page)[0];

  test('a contact page stays one where the content system calls every page an article', () => {
    expect(valuesOf(pageOf('/kontakt', 'Kontakt', { ...schema('Article'), ...og('article') }))).toEqual([
      '/Core_Page/Contact_Page',
      '/Core_Page',
    ]);
  });

  test('a home page with prices is a home page', () => {
    expect(valuesOf(pageOf('/', 'Lamps', {}, { segments: prices }))).toEqual(['/Core_Page/Homepage', '/Core_Page']);
  });

  test('a home page stays one with a language, a file name or a tracking parameter, not with a question', () => {
    for (const path of ['/de/', '/index.php', '/en-gb/home.html', '/?utm_source=x'])
      expect(first(pageOf(path, 'Lamps'))).toBe('/Core_Page/Homepage');
    expect(valuesOf(pageOf('/index.php?id=7', 'Lamps'))).toEqual([]);
  });

  test('a product with other products beside it is a product', () => {
    expect(first(pageOf('/lamp', 'Lamp', schema('Product', 'Offer'), { segments: prices }))).toBe('/Listing/Product');
  });

  test('an article with a place and an event is an article', () => {
    expect(valuesOf(pageOf('/x', 'Week 11', schema('NewsArticle', 'SportsEvent', 'Place')))).toEqual([
      '/Article/News_Update',
      '/Article',
    ]);
    expect(first(pageOf('/x', 'Wine', schema('Place', 'BlogPosting')))).toBe('/Article');
  });

  test('the name of the site is no form: a magazine that is called review writes news', () => {
    const page = pageOf('/x', 'Bridge opens - Harbour Review', schema('NewsArticle'));
    expect(valuesOf(page)).toEqual(['/Article/News_Update', '/Article']);
  });

  test('an archive in the name of the site makes no archive', () => {
    expect(valuesOf(pageOf('/legal-notice', 'Legal notice of the Open Archive'))).toEqual(['/Core_Page']);
  });

  test('a policy may bear the name of its site, and be written in one word', () => {
    expect(first(pageOf('/x', 'Example Privacy Policy', schema('Article')))).toBe('/Core_Page/Privacy_Policy_Page');
    expect(first(pageOf('/termsandconditions/', 'Example'))).toBe('/Core_Page/T&C_Page');
  });

  test('a number of people is no list', () => {
    expect(valuesOf(pageOf('/x', '12 people hurt in the harbour', og('article')))).toEqual(['/Article']);
    expect(valuesOf(pageOf('/x', '12 Verletzte am Hafen', og('article')))).toEqual(['/Article']);
  });

  test('a list of what it names is no single one', () => {
    expect(first(pageOf('/x', 'Lamps', schema('CollectionPage', 'Product', 'Offer')))).toBe(
      '/Listing_Collection/Product',
    );
  });

  test('a page that says nothing has no label', () => {
    expect(pageTypesOf(pageOf('/x', 'X'))).toEqual([]);
  });

  test.each([
    [schema('Recipe'), '/x', 'X', 'schema.org Recipe'],
    [og('article'), '/x', 'X', 'og:type article'],
    [{ generator: 'DokuWiki' }, '/x', 'X', 'generator DokuWiki'],
    [{}, '/pricing', 'X', 'path ends in /pricing'],
    [{}, '/x', 'Datenschutzerklärung', 'title "Datenschutzerklärung"'],
  ])('and the reason says which: %j %s %s', (facts, path, title, reason) => {
    expect(pageTypesOf(pageOf(path, title, facts))[0]?.reason).toBe(reason);
  });

  test.each([
    ['The COMPLETE Guide to Bread', '/Article/Tutorial_or_Guide', 'title "COMPLETE Guide"'],
    // The small letter of İ is two characters: what follows has moved.
    ['İstanbul: the COMPLETE Guide', '/Article/Tutorial_or_Guide', 'title "complete guide"'],
    ['ÜBER den Tellerrand: CHECKLISTE', '/Article/Checklists', 'title "CHECKLISTE"'],
  ])('the words of a title are found in capitals, and told as they stand there: %s', (title, value, reason) => {
    expect(pageTypesOf(pageOf('/x', title, og('article')))).toContainEqual({ value, reason });
  });

  test('an address in kana is folded as the tables are', () => {
    expect(first(pageOf('/プライバシーポリシー', 'X'))).toBe('/Core_Page/Privacy_Policy_Page');
  });

  test('survives an address that is none, or broken', () => {
    const page = pageOf('/%E0%A4%A', 'X');
    expect(pageTypesOf(page)).toEqual([]);
    expect(pageTypesOf({ ...page, url: 'nonsense' })).toEqual([]);
  });
});
