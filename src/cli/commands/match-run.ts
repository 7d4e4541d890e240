import { explainRule } from '../../shared/match/explain.ts';
import type { FieldValues } from '../../shared/match/values.ts';
import { fix } from '../../shared/query/fix.ts';
import { validate, type Validation } from '../../shared/query/validate.ts';
import { exitCode } from '../exit-code.ts';
import { openFile, readAll } from '../input.ts';
import type { MatchFlags } from './match.ts';
import { at, parseJson, valuesOfDocument } from './match-document.ts';
import { explanationLines, explanationObject } from './match-report.ts';
import { invalidQuery, warn } from './query-report.ts';
import type { Session } from './session.ts';
import { quoted } from './shell.ts';

/** `hydrant match`: one query, one document; the answer, and what each clause has to do with it. */
export async function runMatch(session: Session, asked: string, file: string, flags: MatchFlags): Promise<number> {
  const { context, out } = session;
  const text = asked === '-' ? (await context.readInput('the query')).trim() : asked;
  const values = await readDocument(session, file, flags.now ?? context.now());
  const validation = validate(text);
  if (!validation.query) return refuse(session, validation, file);
  const explained = explainRule(validation.query, values, { quality: flags.quality === true, nsfw: flags.nsfw });
  const { diagnostics } = validation;
  if (flags.json === true) {
    const explanation = explanationObject(explained, validation);
    out.one({ ok: true, match: explained.matches, diagnostics, explanation }, { id: '', lines: [] });
  } else if (flags.quiet !== true) {
    warn(session, diagnostics, validation.expanded);
    out.one({}, { id: '', lines: explanationLines(explained, validation, values, out.paint) });
  }
  return explained.matches ? exitCode.ok : exitCode.no;
}

async function readDocument({ context }: Session, file: string, now: number): Promise<FieldValues> {
  const isInput = file === '-';
  const text = isInput ? await context.readInput('the document') : await readAll(openFile(file), file);
  const name = isInput ? 'stdin' : file;
  const document = parseJson(text, name);
  return at(name, () => valuesOfDocument(document, now));
}

/** A program is answered on stdout, as with --cases; people are told of a failure. */
function refuse({ flags, out }: Session, { diagnostics, expanded }: Validation, file: string): number {
  if (flags.json === true) {
    out.one({ ok: false, diagnostics }, { id: '', lines: [] });
    return exitCode.no;
  }
  const mended = fix(expanded, diagnostics);
  const isMended = mended !== expanded && validate(mended).valid;
  const words = ['hydrant match', ...(mended.startsWith('-') ? ['--'] : []), quoted(mended), quoted(file)];
  throw invalidQuery(diagnostics, expanded, isMended ? words.join(' ') : undefined);
}
