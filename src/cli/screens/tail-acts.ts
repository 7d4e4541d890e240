import type { Lane } from '../client/lane.ts';
import { domainOf } from '../match-text.ts';
import { reversed, type RuleEdit, type TailDeeds, without } from './tail-deeds.ts';
import { markedRow } from './tail-model.ts';
import type { TailStore } from './tail-store.ts';

export type TailAct = 'open' | 'save' | 'mute' | 'undo';

/**
 * What keys do outside of the screen: one thing at a time, each ending in a sentence on the screen, a failure too. A
 * change of rules is shown and asked about first, and has a way back as long as the screen is open.
 */
export class TailActs {
  readonly #store: TailStore;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #deeds: TailDeeds | undefined;
  readonly #done: { readonly lane: Lane; readonly edits: readonly RuleEdit[] }[] = [];
  #agreed: (() => Promise<string>) | undefined;
  #isBusy = false;

  constructor(store: TailStore, lanes: readonly Lane[], deeds: TailDeeds | undefined) {
    this.#store = store;
    this.#lanes = new Map(lanes.map((lane) => [lane.tap, lane]));
    this.#deeds = deeds;
  }

  press(act: TailAct): void {
    const deeds = this.#deeds;
    if (deeds) void this.#run(() => this.#act(act, deeds));
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

  async #act(act: TailAct, deeds: TailDeeds): Promise<string | undefined> {
    if (act === 'undo') return this.#undo(deeds);
    const row = markedRow(this.#store.model);
    const lane = row && this.#lanes.get(row.tap);
    if (!row || !lane) return 'there is no match yet';
    const { url } = row.update.match.document;
    if (act === 'open') return deeds.open(url);
    if (act === 'save') return deeds.save(lane, row.update.id);
    return this.#mute(deeds, lane, domainOf(url), row.update.match.query_ids);
  }

  async #mute(deeds: TailDeeds, lane: Lane, domain: string, ids: readonly string[]): Promise<string | undefined> {
    const rules = (await deeds.rules(lane)).filter(({ id }) => ids.includes(id));
    if (rules.length === 0) return 'the rules of this match are gone';
    const edits = without(domain, rules);
    if (edits.length === 0) return `${domain} is left out already`;
    this.#agreed = async () => {
      const said = await deeds.change(lane, edits);
      this.#done.push({ lane, edits });
      return `${said}: no more matches of ${domain} · u undoes it`;
    };
    const shown = edits.map(({ rule, value }) => `  ${rule.tag ?? rule.id}  ${value}`);
    const count = edits.length === 1 ? 'this rule' : `these ${edits.length} rules`;
    this.#store.dispatch({ type: 'ask', lines: [`Leave ${domain} out of ${count}? From now on:`, ...shown] });
    return undefined;
  }

  async #undo(deeds: TailDeeds): Promise<string> {
    const last = this.#done.at(-1);
    if (!last) return 'there is nothing to undo';
    const said = await deeds.change(last.lane, reversed(last.edits));
    this.#done.pop();
    return `${said} back`;
  }

  #say(text: string): void {
    this.#store.dispatch({ type: 'say', text });
  }
}
