import { stringify } from 'yaml';
import { printableJson } from '../../printable.ts';
import { World } from './kind.ts';
import { kinds } from './kinds.ts';
import type { Session } from '../session.ts';

/** Sections that are wanted, by name; none: all. */
export type ExportFlags = Readonly<Record<string, unknown>>;

/** Made by `hydrant export`, `hydrant watch export`. */
export function fileOf(sections: Readonly<Record<string, readonly object[]>>): string {
  return HEAD + stringify(sections, { lineWidth: 0 });
}

const HEAD = '# Made by hydrant export. Put in place with: hydrant apply FILE\n';

/** `hydrant export`: what there is, as a file for `hydrant apply`. Tokens and keys are in none of it. */
export async function exportFile(session: Session, flags: ExportFlags): Promise<void> {
  const { out } = session;
  const { connection, client } = await session.connect();
  const named = kinds.filter(({ section }) => flags[section] === true);
  const wanted = named.length > 0 ? named : kinds;
  const isOperator = connection.credential.kind === 'operator';
  const world = new World(client);
  const whole: Record<string, object[]> = {};
  for (const kind of wanted) {
    // One that was named is asked for, and refused in words.
    if (kind.isOperators && !isOperator && named.length === 0) {
      out.notice(`without the ${kind.section}, which the operator alone may read`);
      continue;
    }
    whole[kind.section] = await kind.exported(world);
  }
  if (session.flags.json === true) return out.text(`${printableJson(whole)}\n`);
  out.text(fileOf(whole));
}
