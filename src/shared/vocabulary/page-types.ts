/** Every value of `page_type`, in the order of the specification (spec: Vocabularies). One line a parent. */
export const PAGE_TYPES: readonly string[] = labelsOf(`
: Listing | Listing_Collection | Article | Landing_Page | Interactive_Tools | Image | Video | Audio | Document | User_Generated_Content | Core_Page
/Listing: Product | Property | Job | Service | Event | Location | Business
/Listing_Collection: Product | Property | Job | Service | Event | Location | Business
/Article: How_to | Tutorial_or_Guide | Listicle | Comparisons | Roundup | Product_or_Brand_Review | Opinion_Piece | News_Update | Thought_Leadership | Story | Recipe | FAQ | Checklists | Study_or_Research_Findings | Definitions | Wiki
/Landing_Page: Service_Page | Location_Page | Product_Page | Course_Sales_Page | Product_Feature_Page | Pricing_Page
/Interactive_Tools: Calculator | SaaS_Software | Map | Quiz | Poll | Simulator | Generator | Configurator
/Image: Infographic | Mapographic | Photography | Vector_Illustration | Meme | Diagram | Flowchart
/Video: How_to | Tutorial_or_Guide | Listicle | Comparisons | Compilation | Roundup | Product_or_Brand_Review | Opinion_Piece | News_Update | Thought_Leadership | Story | Recipe | Interview | Webinar | Vlog
/Audio: Podcast | Webinar | Interview | Sound_Byte | Music | Audiobook | Commentary
/Document: Case_Study | Ebook | White_Paper | Slide_Deck | Research_Paper | Template | Report | Manual | Worksheet
/User_Generated_Content: Forum_Thread | Discussions | Social_Media_Post | Reviews | Testimonials | Comments | Q&A
/Core_Page: Homepage | About_Page | Contact_Page | FAQ_Page | Blog_Index | Services_Page | Portfolio_Page | Careers_Page | Privacy_Policy_Page | T&C_Page
`);

/**
 * The values a page's labels can have: plain data from the specification's tables, read by the query language (which
 * refuses and corrects other values) and by whoever labels pages. Labels are paths such as `/News/Technology_News`;
 * they are written one line a parent, `/News: Business_News | Technology_News`, and the roots under an empty parent.
 * Decided against: a thousand string literals, a file nobody can read.
 */
export function labelsOf(lines: string): string[] {
  const children = new Map<string, string[]>();
  for (const line of lines.trim().split('\n')) {
    const end = line.indexOf(': ');
    children.set(line.slice(0, end), line.slice(end + 2).split(' | '));
  }
  const labels: string[] = [];
  const addBelow = (parent: string): void => {
    for (const name of children.get(parent) ?? []) {
      labels.push(`${parent}/${name}`);
      addBelow(`${parent}/${name}`);
    }
  };
  addBelow('');
  return labels;
}
