import type { Client } from '../../client/client.ts';
import type { Lane } from '../../client/lane.ts';
import type { Environment } from '../../context.ts';
import type { RuleEdit, TailActions } from '../../screens/tail-actions.ts';
import { browse } from '../browser.ts';

/** What the screen of `hydrant tail` can do besides showing. */
export function tailActions(client: Client, environment: Environment): TailActions {
  return {
    open: async (url) => browse(url, environment, process.platform),
    save: async ({ tapId }, event) => {
      if (tapId === undefined) throw new Error('saving a match needs more than a tap token');
      const { url } = await client.saved.save({ tap: tapId, event });
      return `${url} is saved`;
    },
    rules: async ({ token }) => client.rules(token),
    change: async (lane, edits) => changeRules(client, lane, edits),
  };
}

/** Rules that someone else has changed meanwhile are left alone, and nothing is changed then. */
async function changeRules(client: Client, { token }: Lane, edits: readonly RuleEdit[]): Promise<string> {
  const now = new Map((await client.rules(token)).map((rule) => [rule.id, rule.value]));
  const moved = edits.find(({ rule }) => now.get(rule.id) !== rule.value);
  if (moved) throw new Error(`rule ${moved.rule.tag ?? moved.rule.id} was changed meanwhile: nothing was done`);
  for (const { rule, value } of edits) await client.changeRule(token, rule.id, { value });
  const names = edits.map(({ rule }) => rule.tag ?? rule.id).join(', ');
  return `${edits.length === 1 ? 'rule' : 'rules'} ${names} changed`;
}
