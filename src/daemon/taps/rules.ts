import type { RuleRegistration } from './rule-registration.ts';
import { Plans } from '../accounts/plans.ts';
import type { TapHolder } from '../accounts/keys.ts';
import { lookupForTap } from '../filters/filters.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, RuleRecord } from '../storage/catalog.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { Rule, RuleChange, RuleCreation } from '../../shared/api/rule.ts';
import type { RuleSettings } from '../../shared/query/check/filtered-out.ts';
import { unknownFilterIn, validate } from '../../shared/query/validate.ts';

/** A saved rule, and the warnings about its query and settings. */
export interface AcceptedRule {
  readonly rule: Rule;
  readonly warnings: readonly Diagnostic[];
}

/**
 * The rules of a tap, as the API shows them. A query is validated by the same function that registers it later, saved, and
 * only then registered: an acknowledged rule exists after any crash, and a restart registers what was saved.
 */
export class Rules {
  readonly #catalog: Catalog;
  readonly #registration: RuleRegistration;
  readonly #outside: Outside;
  readonly #plans: Plans;

  /** `plans` absent: those of the specification. */
  constructor(deps: { catalog: Catalog; registration: RuleRegistration; outside: Outside; plans?: Plans }) {
    this.#catalog = deps.catalog;
    this.#registration = deps.registration;
    this.#outside = deps.outside;
    this.#plans = deps.plans ?? new Plans();
  }

  /** In the order of creation. */
  list(holder: TapHolder): Rule[] {
    return this.#catalog.data.rules.filter((rule) => rule.tapId === holder.tapId).map(toWire);
  }

  /** Rules of a tap, registered or not. */
  count(tapId: string): number {
    return this.#catalog.data.rules.filter((rule) => rule.tapId === tapId).length;
  }

  get(holder: TapHolder, id: string): Rule {
    return toWire(owned(this.#catalog.data, this.#catalog.data.rules, holder, id));
  }

  async create(holder: TapHolder, creation: RuleCreation): Promise<AcceptedRule> {
    const { nsfw = false, quality = true } = creation;
    const settings = { nsfw, quality, now: this.#outside.now() };
    const warnings = accept(this.#catalog.data, holder, creation.value, settings);
    const record: RuleRecord = {
      id: this.#outside.uuid(),
      tapId: holder.tapId,
      value: creation.value,
      ...tagOf(creation.tag),
      nsfw,
      quality,
      createdAt: new Date(settings.now).toISOString(),
    };
    await this.#catalog.update((draft) => {
      checkHolder(draft, holder);
      checkRoom(this.#plans, draft, holder);
      checkFilters(draft, holder, record.value);
      draft.rules.push(record);
    });
    this.#registration.sync(holder.tapId);
    return { rule: toWire(record), warnings };
  }

  /** Fields that the change leaves out stay as they are; `tag: null` removes the tag. */
  async change(holder: TapHolder, id: string, change: RuleChange): Promise<AcceptedRule> {
    if (change.value !== undefined) accept(this.#catalog.data, holder, change.value);
    const rule = await this.#catalog.update((draft) => {
      checkHolder(draft, holder);
      const found = owned(draft, draft.rules, holder, id);
      if (change.value !== undefined) checkFilters(draft, holder, change.value);
      found.value = change.value ?? found.value;
      found.nsfw = change.nsfw ?? found.nsfw;
      found.quality = change.quality ?? found.quality;
      if (change.tag !== undefined) {
        delete found.tag;
        Object.assign(found, tagOf(change.tag));
      }
      return toWire(found);
    });
    this.#registration.sync(holder.tapId);
    return { rule, warnings: changesMatching(change) ? this.#warningsOf(holder, rule) : [] };
  }

  /** A rule that an older version accepted may be invalid today: the start reports that, so only warnings are returned. */
  #warningsOf({ tapId }: TapHolder, { value, quality, nsfw }: Rule): readonly Diagnostic[] {
    const settings = { quality, nsfw, now: this.#outside.now() };
    const { diagnostics } = validate(value, { ...lookupForTap(this.#catalog.data, tapId), ...settings });
    return diagnostics.filter(({ severity }) => severity === 'warning');
  }

  /**
   * The operator's: a paused rule is kept, counts against the limit, and is asked of no page. The rule on the wire says
   * nothing of it (spec, Rule).
   */
  async pause(organizationId: string, id: string, isPaused: boolean): Promise<Rule> {
    const { tapId, rule } = await this.#catalog.update((draft) => {
      const found = draft.rules.find((one) => one.id === id);
      const tap = draft.taps.find((one) => one.id === found?.tapId);
      if (found === undefined || tap?.organizationId !== organizationId) {
        throw new Problem('not_found', { resource: 'rule' });
      }
      if (isPaused) found.paused = true;
      else delete found.paused;
      return { tapId: found.tapId, rule: toWire(found) };
    });
    this.#registration.sync(tapId);
    return rule;
  }

  async remove(holder: TapHolder, id: string): Promise<void> {
    await this.#catalog.update((draft) => {
      checkHolder(draft, holder);
      owned(draft, draft.rules, holder, id);
      draft.rules = draft.rules.filter((rule) => rule.id !== id);
    });
    this.#registration.sync(holder.tapId);
  }
}

/** Whether the change affects what the rule matches. */
function changesMatching({ value, quality, nsfw }: RuleChange): boolean {
  return value !== undefined || quality !== undefined || nsfw !== undefined;
}

/** The warnings of a valid query; given the settings of its rule, also those about the combination. */
function accept(
  data: CatalogData,
  { tapId }: TapHolder,
  value: string,
  settings?: RuleSettings,
): readonly Diagnostic[] {
  const validation = validate(value, { ...lookupForTap(data, tapId), ...settings });
  const { valid, diagnostics, expanded: query } = validation;
  const name = unknownFilterIn(validation);
  if (name !== undefined) throw new Problem('unknown_filter', { field: 'value', name, query, diagnostics });
  if (!valid) throw new Problem('invalid_query', { query, diagnostics });
  return diagnostics;
}

/** Checked again inside the update: a filter may have been changed or removed since the request was validated. */
function checkFilters(data: CatalogData, holder: TapHolder, value: string): void {
  if (value.includes('$')) accept(data, holder, value);
}

/** Null and the empty text mean no tag: clients whose language has no "absent" send one or the other. */
function tagOf(tag: string | null | undefined): { readonly tag?: string } {
  return tag === undefined || tag === null || tag === '' ? {} : { tag: tag.trim() };
}

/**
 * The rule with this id, out of the catalog or a draft of it. A token is scoped to one tap: the rules of its
 * organization's other taps do not exist for it, those of other organizations are refused (spec, Errors).
 */
function owned<Found extends { id: string; tapId: string }>(
  data: CatalogData,
  rules: readonly Found[],
  holder: TapHolder,
  id: string,
): Found {
  const rule = rules.find((found) => found.id === id);
  if (rule?.tapId === holder.tapId) return rule;
  const tap = rule && data.taps.find((found) => found.id === rule.tapId);
  if (tap && tap.organizationId !== holder.organizationId) throw new Problem('forbidden', { resource: 'rule' });
  throw new Problem('not_found', { resource: 'rule' });
}

/** Revoked while the request was on its way, the tap is answered as it is from now on; a rule without a tap must not stay behind. */
function checkHolder({ taps }: Pick<CatalogData, 'taps'>, { tapId }: TapHolder): void {
  if (!taps.some(({ id }) => id === tapId))
    throw new Problem('unauthenticated', { wanted: 'tap token', given: 'unknown' });
}

/** Room for one more rule? Asked inside the update, so that two requests cannot both take the last place. */
function checkRoom(plans: Plans, data: CatalogData, holder: TapHolder): void {
  const owned = data.taps.filter((tap) => tap.organizationId === holder.organizationId);
  const taps = new Set(owned.map((tap) => tap.id));
  const organization = data.organizations.find((found) => found.id === holder.organizationId);
  if (!organization) throw new Problem('not_found', { resource: 'organization' });
  const reached = plans.reached(organization, 'rules');
  const count = data.rules.filter((rule) => taps.has(rule.tapId)).length;
  if (count >= reached.limit) throw new Problem('rule_limit_reached', reached);
}

function toWire({ id, value, tag, nsfw, quality }: RuleRecord): Rule {
  return { id, value, ...(tag !== undefined && { tag }), nsfw, quality };
}
