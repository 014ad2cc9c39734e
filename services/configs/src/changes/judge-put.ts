import { isDeepStrictEqual } from "node:util";
import { type BodyOf, faultsOf, type Fields, type ChangeSetEntry } from "@ikg/contracts";
import type { GraphSchema, UnreadSchema, Warning } from "@ikg/policy-core/warnings";
import type { Collection, References, Trial } from "../records/collection.ts";
import { bodyOf, merge } from "../records/content.ts";
import { prepareCreate } from "../records/create.ts";
import { bodyFaults } from "../records/examine.ts";
import type { Prepared } from "../records/prepared.ts";
import type { Data, StoredRecord } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";
import type { Transition } from "../records/transition.ts";
import { prepareUpdate } from "../records/update.ts";

/** A change that was judged: what it makes of its record, and what is still to be done. */
export interface JudgedChange {
  readonly transition: Transition;
  /** Absent where the record is what it should be already, and for a deletion. */
  readonly prepared?: Prepared<unknown>;
  readonly warnings?: readonly Warning[] | undefined;
  readonly trials?: readonly Trial[];
  /** Of a faulty change nothing else counts. Each begins with its place in the change. */
  readonly faults?: readonly string[];
}

export type Put = Extract<ChangeSetEntry, { readonly op: "put" }>;

/** What a put is judged in the light of. */
export interface PutSurroundings {
  readonly store: Store;
  readonly caller: CallerContext;
  readonly now: Date;
  readonly project: StoredRecord;
  readonly current: StoredRecord | undefined;
  /** Records that it names, as they are after the set. */
  readonly references: References;
  /** Names that the graph of the project holds, where they are known. */
  readonly schema: GraphSchema | UnreadSchema | undefined;
  /** Whether another record uses it after the set. */
  readonly isUsed: boolean;
}

interface Bodies {
  readonly body: BodyOf<Fields>;
  readonly former: BodyOf<Fields> | undefined;
}

/** The body that the record shall have; what a put leaves out stays, so no rule of a collection for absent fields applies. */
const bodiesOf = (
  collection: Collection,
  { name }: Put,
  content: Data,
  { store, project, current }: PutSurroundings,
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
 * Judges a put against the state after the set.
 *
 * @param content its record as the collection takes it, with ids of other records.
 */
export const judgePut = (
  collection: Collection,
  put: Put,
  content: Data,
  surroundings: PutSurroundings,
): JudgedChange => {
  const { store, caller, now, project, current, references, schema, isUsed } = surroundings;
  const faulty = (faults: readonly string[]): JudgedChange => ({
    transition: { before: current, after: current },
    faults,
  });
  const bodies = bodiesOf(collection, put, content, surroundings);
  if ("length" in bodies) return faulty(bodies);
  const { body, former } = bodies;
  const faults = [
    ...(isUsed ? (collection.faultsWhileReferenced?.(body) ?? []) : []),
    ...bodyFaults({ collection, body, references, projectId: project.id, now }),
  ];
  if (faults.length > 0) return faulty(faults);
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
