import { setTimeout as wait } from "node:timers/promises";
import { type BodyOf, type Fields, type Gid, Problem } from "@ikg/contracts";
import { DataFault, type Transaction } from "@ikg/graph";
import type { Collection, Reference, Trial } from "./collection.ts";
import type { StoredRecord } from "./record.ts";
import type { CallerContext } from "./store.ts";

/** One body whose statements the database plans. */
export interface TrialPlans {
  /** How long one statement may be planned, in milliseconds. */
  readonly statementMs: number;
  /** What is planned now; undefined between statements. Ends when the database is done, even if no caller waits for it. */
  current: Promise<unknown> | undefined;
}

/** The records that a body names and that stay while it exists. */
export const referencesOf = <F extends Fields>(
  { fields }: Collection<F>,
  body: Readonly<Record<string, unknown>>,
): readonly Reference[] =>
  Object.entries(fields).flatMap(([field, { reference }]) =>
    // Parsed as a gid of that kind.
    reference === undefined || body[field] === undefined
      ? []
      : [{ field, kind: reference, id: body[field] as Gid }],
  );

/**
 * The record that a body names.
 *
 * @throws Problem `not_found` when the caller's organization has no such record.
 */
export const found = (
  records: ReadonlyMap<Gid, StoredRecord>,
  { field, kind, id }: Reference,
  caller: CallerContext,
): StoredRecord => {
  const record = records.get(id);
  if (record === undefined || record.kind !== kind || record.organizationId !== caller.organizationId)
    throw new Problem("not_found", { errors: [`${field}: not found`] });
  return record;
};

/**
 * Lets the database plan a statement; it may refuse what the checks of the language cannot see. Planning does not heed the
 * limit of a transaction, and a text that is planned for long would hold up every process that meets it first.
 *
 * @throws Problem `unprocessable` (422).
 */
export const tryOut = async (tx: Transaction, { text, fault }: Trial, plans: TrialPlans): Promise<void> => {
  const { statementMs } = plans;
  const late = new AbortController();
  const timeout = wait(statementMs, "late" as const, { signal: late.signal }).catch(() => "ended" as const);
  const planned = tx.run(`EXPLAIN ${text}`, {});
  plans.current = planned;
  try {
    if ((await Promise.race([planned, timeout])) === "late")
      throw new Problem("unprocessable", {
        errors: [`${fault} within ${statementMs} ms (limit PLANNING_MS); write a smaller pattern`],
      });
  } catch (error) {
    if (!(error instanceof DataFault)) throw error;
    throw new Problem("unprocessable", { errors: [fault], cause: error });
  } finally {
    late.abort();
  }
  plans.current = undefined;
};

/** What is examined, and in which light. */
export interface Examined<F extends Fields> {
  readonly collection: Collection<F>;
  readonly body: BodyOf<F>;
  readonly references: ReadonlyMap<string, StoredRecord>;
  readonly projectId: Gid | undefined;
  readonly now: Date;
}

/** What is wrong with a body in the light of the records that it names. */
export const bodyFaults = <F extends Fields>({
  collection,
  body,
  references,
  projectId,
  now,
}: Examined<F>): readonly string[] => {
  const foreign = [...references].filter(([, record]) => record.projectId !== projectId);
  return [
    ...foreign.map(
      ([field, { kind }]) =>
        `${field}: ${kind.replaceAll("_", " ").replace("authorization ", "")} of the same project expected`,
    ),
    ...(foreign.length > 0 ? [] : (collection.faultsInContext?.(body, references, now) ?? [])),
  ];
};

/**
 * Says what is wrong with a body in the light of the records that it names and of the database.
 *
 * @param faults found before, to be reported together.
 * @throws Problem `unprocessable`.
 */
export const examine = async <F extends Fields>(
  tx: Transaction,
  examined: Examined<F>,
  plans: TrialPlans,
  faults: readonly string[] = [],
): Promise<void> => {
  const all = [...faults, ...bodyFaults(examined)];
  if (all.length > 0) throw new Problem("unprocessable", { errors: all });
  const { collection, body, references } = examined;
  for (const trial of collection.trials?.(body, references) ?? []) await tryOut(tx, trial, plans);
};
