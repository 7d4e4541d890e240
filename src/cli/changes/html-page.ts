import { escaped } from './markup.ts';

/** A page of ours: texts are from outside, `style` and `body` are made by us. */
export interface HtmlPage {
  /** Text. */
  readonly title: string;
  /** Of our own words; absent where most of the text is a stranger's. */
  readonly language?: string;
  readonly style: string;
  /** HTML. */
  readonly body: string;
}

/** One self-contained document: no script, and nothing is asked of anyone, so that a mail shows it as it is. */
export function htmlPage({ title, language, style, body }: HtmlPage): string {
  return `<!doctype html>
<html${language === undefined ? '' : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
