import { SaxesParser } from 'saxes';

/** The texts of a document that is well-formed, in order. @throws on one that is not */
export function saxEvents(xml: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('text', (text) => {
    if (text.trim() !== '') texts.push(text);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return texts;
}
