import type { Rule } from '../../shared/api/rule.ts';
import type { Lane } from '../client/lane.ts';
import { domainOf } from '../../shared/text/printable.ts';
import { markedRow } from './tail-model.ts';
import type { TailStore } from './tail-store.ts';

/** What the keys of the screen do outside of it. Each answers with the sentence to show. @throws {Error} that says why not */
export interface TailActions {
  /** Shows an address in the browser. */
  readonly open: (url: string) => Promise<string>;
  /** Keeps a match. */
  readonly save: (lane: Lane, eventId: string) => Promise<string>;
  /** The rules of a tap as they are now. */
  readonly rules: (lane: Lane) => Promise<readonly Rule[]>;
  /** Gives rules new queries, all of them or none. */
  readonly change: (lane: Lane, changes: readonly RuleEdit[]) => Promise<string>;
}

export interface RuleEdit {
  readonly rule: Rule;
  /** Its query as it is to be. */
  readonly value: string;
}

/**
 * The rules without one domain, whatever they were: a clause that must not match stands beside all others, so it
 * needs no brackets around them. The rules that leave the domain out already stay as they are.
 */
function without(domain: string, rules: readonly Rule[]): RuleEdit[] {
  const clause = `NOT domain:${/^[a-z0-9.-]+$/.test(domain) ? domain : `"${domain}"`}`;
  return rules
    .filter(({ value }) => value !== clause && !value.endsWith(` ${clause}`))
    .map((rule) => ({ rule, value: `${rule.value} ${clause}` }));
}

/** The way back: what has the new query gets the former one. */
function reversed(edits: readonly RuleEdit[]): RuleEdit[] {
  return edits.map(({ rule, value }) => ({ rule: { ...rule, value }, value: rule.value }));
}

export type TailAction = 'open' | 'save' | 'mute' | 'undo';

/**
 * What keys do outside of the screen: one thing at a time, each ending in a sentence on the screen, a failure too. A
 * change of rules is shown and asked about first, and has a way back as long as the screen is open.
 */
export class ActionKeys {
  readonly #store: TailStore;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #actions: TailActions | undefined;
  readonly #done: { readonly lane: Lane; readonly edits: readonly RuleEdit[] }[] = [];
  #agreed: (() => Promise<string>) | undefined;
  #isBusy = false;

  constructor(store: TailStore, lanes: readonly Lane[], actions: TailActions | undefined) {
    this.#store = store;
    this.#lanes = new Map(lanes.map((lane) => [lane.tap, lane]));
    this.#actions = actions;
  }

  press(act: TailAction): void {
    const actions = this.#actions;
    if (actions) void this.#run(() => this.#perform(act, actions));
  }

  /** Of the question that is open. */
  answer(isYes: boolean): void {
    const agreed = this.#agreed;
    this.#agreed = undefined;
    this.#store.dispatch({ type: 'answered' });
    if (isYes && agreed) void this.#run(agreed);
    else this.#say('nothing was changed');
  }

  /** Settles when it is done. The answer is what to say of it; undefined: a question is open. */
  async #run(act: () => Promise<string | undefined>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const said = await act();
      if (said !== undefined) this.#say(said);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isBusy = false;
    }
  }

  async #perform(act: TailAction, actions: TailActions): Promise<string | undefined> {
    if (act === 'undo') return this.#undo(actions);
    const row = markedRow(this.#store.model);
    const lane = row && this.#lanes.get(row.tap);
    if (!row || !lane) return 'there is no match yet';
    const { url } = row.update.match.document;
    if (act === 'open') return actions.open(url);
    if (act === 'save') return actions.save(lane, row.update.id);
    return this.#mute(actions, lane, domainOf(url), row.update.match.query_ids);
  }

  async #mute(actions: TailActions, lane: Lane, domain: string, ids: readonly string[]): Promise<string | undefined> {
    const rules = (await actions.rules(lane)).filter(({ id }) => ids.includes(id));
    if (rules.length === 0) return 'the rules of this match no longer exist';
    const edits = without(domain, rules);
    if (edits.length === 0) return `${domain} is left out already`;
    this.#agreed = async () => {
      const said = await actions.change(lane, edits);
      this.#done.push({ lane, edits });
      return `${said}: no more matches of ${domain} · u undoes it`;
    };
    const shown = edits.map(({ rule, value }) => `  ${rule.tag ?? rule.id}  ${value}`);
    const count = edits.length === 1 ? 'this rule' : `these ${edits.length} rules`;
    this.#store.dispatch({ type: 'ask', lines: [`Leave ${domain} out of ${count}? From now on:`, ...shown] });
    return undefined;
  }

  async #undo(actions: TailActions): Promise<string> {
    const last = this.#done.at(-1);
    if (!last) return 'there is nothing to undo';
    const said = await actions.change(last.lane, reversed(last.edits));
    this.#done.pop();
    return `${said} back`;
  }

  #say(text: string): void {
    this.#store.dispatch({ type: 'say', text });
  }
}
