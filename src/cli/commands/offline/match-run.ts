import { explainRule, type RuleExplanation } from '../../../shared/match/explain.ts';
import type { Query } from '../../../shared/query/ast.ts';
import { fix } from '../../../shared/query/suggest/hints.ts';
import { validate, type Validation } from '../../../shared/query/validate.ts';
import { exitCode } from '../../exit-code.ts';
import type { MatchFlags } from './match-document.ts';
import { explanationLines, explanationObject } from './match-report.ts';
import { readSubject, type Subject } from './match-subject.ts';
import { invalidQuery, warn } from '../query-report.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';

/** `hydrant match`: one query, one document; the answer, and what each clause has to do with it. */
export async function runMatch(session: Session, asked: string, file: string, flags: MatchFlags): Promise<number> {
  const { context, out } = session;
  const text = asked === '-' ? (await context.readInput('the query')).trim() : asked;
  const subject = await readSubject(session, file, flags);
  const validation = validate(text);
  if (!validation.query) return refuse(session, validation, file, flags);
  const explained = judge(validation.query, subject, flags);
  const { diagnostics } = validation;
  if (session.flags.json === true) {
    const explanation = explanationObject(explained, validation);
    out.one({ ok: true, match: explained.matches, diagnostics, explanation }, { id: '', lines: [] });
  } else if (session.flags.quiet !== true) {
    warn(session, diagnostics, validation.expanded);
    out.one({}, { id: '', lines: explanationLines(explained, validation, subject.values, out.paint) });
  }
  return explained.matches ? exitCode.ok : exitCode.no;
}

/** The rule's answer; two versions that do not differ are no event, whatever the query. */
function judge(query: Query, { values, isUnchanged }: Subject, flags: MatchFlags): RuleExplanation {
  const explained = explainRule(query, values, { quality: flags.quality === true, nsfw: flags.nsfw });
  if (!isUnchanged) return explained;
  return { ...explained, matches: false, refusals: [...explained.refusals, 'nothing changed that counts'] };
}

/** A program gets its answer on stdout, as with --cases; for people it is an error. */
function refuse(
  { out, flags: { json } }: Session,
  { diagnostics, expanded, guesses }: Validation,
  file: string,
  flags: MatchFlags,
): number {
  if (json === true) {
    out.one({ ok: false, diagnostics }, { id: '', lines: [] });
    return exitCode.no;
  }
  const fixed = fix(expanded, diagnostics, guesses);
  const isFixed = fixed !== expanded && validate(fixed).valid;
  const words = [
    'hydrant match',
    ...(fixed.startsWith('-') ? ['--'] : []),
    quoted(fixed),
    quoted(file),
    ...pageFlags(flags),
  ];
  throw invalidQuery(diagnostics, expanded, isFixed ? words.join(' ') : undefined);
}

function pageFlags({ was, as }: MatchFlags): string[] {
  return [...(was === undefined ? [] : [`--was ${quoted(was)}`]), ...(as === undefined ? [] : [`--as ${quoted(as)}`])];
}
