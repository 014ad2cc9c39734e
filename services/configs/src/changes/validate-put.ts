import { isDeepStrictEqual } from "node:util";
import { type BodyOf, faultsOf, type Fields, type ChangeSetEntry } from "@ikg/contracts";
import type { GraphSchema, UnreadSchema, Warning } from "@ikg/policy-core/warnings";
import type { Collection, References, Trial } from "../records/collection.ts";
import { bodyOf, merge } from "../records/content.ts";
import { prepareCreate } from "../records/create.ts";
import { bodyFaults } from "../records/validate-body.ts";
import type { PreparedWrite } from "../records/prepared-write.ts";
import type { Data, StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { Transition } from "../records/transition.ts";
import { prepareUpdate } from "../records/update.ts";

/** The outcome of validating one change: the transition of its record, and the write and trials that are still to be done. */
export interface ValidatedChange {
  readonly transition: Transition;
  /** Absent where the record needs no change, and for a deletion. */
  readonly prepared?: PreparedWrite<unknown>;
  readonly warnings?: readonly Warning[] | undefined;
  readonly trials?: readonly Trial[];
  /** When present, all other members are to be ignored. Each begins with its path in the change. */
  readonly faults?: readonly string[];
}

export type Put = Extract<ChangeSetEntry, { readonly op: "put" }>;

/** The state that a put is validated against. */
export interface PutContext {
  readonly store: Store;
  readonly caller: CallerContext;
  readonly now: Date;
  readonly project: StoredRecord;
  readonly current: StoredRecord | undefined;
  /** Records that it names, in their state after the change set. */
  readonly references: References;
  /** Names in the project's graph, where they are known. */
  readonly schema: GraphSchema | UnreadSchema | undefined;
  /** Whether another record depends on it after the change set. */
  readonly isUsed: boolean;
}

interface Bodies {
  readonly body: BodyOf<Fields>;
  readonly former: BodyOf<Fields> | undefined;
}

/** The record's body after the put. Omitted fields keep their values, so a collection's defaults for absent fields do not apply. */
const bodiesOf = (
  collection: Collection,
  { name }: Put,
  content: Data,
  { store, project, current }: PutContext,
): Bodies | readonly string[] => {
  if (current === undefined) {
    const made = collection.create.safeParse(
      { name, [collection.parent.field]: project.id, ...content },
      { reportInput: true },
    );
    return made.success ? { body: made.data, former: undefined } : faultsOf(made.error);
  }
  if (collection.update === undefined) throw new Error(`records of ${collection.kind} are never updated`);
  const change = collection.update.safeParse(content, { reportInput: true });
  if (!change.success) return faultsOf(change.error);
  const former = bodyOf(collection, store.keys, current);
  return { body: merge(collection, former, change.data).body, former };
};

/**
 * Validates a put against the state after the change set.
 *
 * @param content the record as the collection accepts it, with ids of other records.
 */
export const validatePut = (
  collection: Collection,
  put: Put,
  content: Data,
  context: PutContext,
): ValidatedChange => {
  const { store, caller, now, project, current, references, schema, isUsed } = context;
  const invalid = (faults: readonly string[]): ValidatedChange => ({
    transition: { before: current, after: current },
    faults,
  });
  const bodies = bodiesOf(collection, put, content, context);
  if ("length" in bodies) return invalid(bodies);
  const { body, former } = bodies;
  const faults = [
    ...(isUsed ? (collection.faultsWhileReferenced?.(body) ?? []) : []),
    ...bodyFaults({ collection, body, current: former, references, projectId: project.id, now }),
  ];
  if (faults.length > 0) return invalid(faults);
  if (current !== undefined && isDeepStrictEqual(body, former))
    return { transition: { before: current, after: current } };
  const prepared =
    current === undefined
      ? prepareCreate(
          store,
          collection,
          body,
          { parent: project, references, holders: [], schema },
          caller,
          now,
        )
      : prepareUpdate(
          store,
          collection,
          { record: current, body, references, parent: project, schema, columns: {}, now },
          caller,
        );
  const { record, warnings } = prepared.result;
  return {
    transition: { before: current, after: record },
    prepared,
    warnings,
    trials: collection.trials?.(body, references) ?? [],
  };
};
