import { type BodyOf, type Fields, type Gid, kindText, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { Collection, References } from "./collection.ts";
import { planStatement, type TrialPlans } from "./plan-statement.ts";
import type { StoredRecord } from "./record.ts";

/** A body and the context that it is validated in. */
export interface ValidationInput<F extends Fields> {
  readonly collection: Collection<F>;
  readonly body: BodyOf<F>;
  /** The present body, which an update replaces. */
  readonly current?: BodyOf<F> | undefined;
  readonly references: References;
  readonly projectId: Gid | undefined;
  readonly now: Date;
}

/** A kind as a field names it: `policy_id` is the id of an authorization policy. */
const nounOf = (kind: StoredRecord["kind"]): string =>
  kind === "authorization_policy" ? "policy" : kindText(kind);

/** Faults of a body that depend on the records that it names. */
export const bodyFaults = <F extends Fields>({
  collection,
  body,
  current,
  references,
  projectId,
  now,
}: ValidationInput<F>): readonly string[] => {
  const foreign = [...references].filter(([, record]) => record.projectId !== projectId);
  return [
    ...foreign.map(([field, { kind }]) => `${field}: ${nounOf(kind)} of the same project expected`),
    ...(foreign.length > 0 ? [] : (collection.faultsInContext?.(body, references, now, current) ?? [])),
  ];
};

/**
 * Validates a body against the records that it names and the database's planner.
 *
 * @param faults found before, to be reported together.
 * @throws Problem `unprocessable`.
 */
export const validateBody = async <F extends Fields>(
  tx: Transaction,
  input: ValidationInput<F>,
  plans: TrialPlans,
  faults: readonly string[] = [],
): Promise<void> => {
  const all = [...faults, ...bodyFaults(input)];
  if (all.length > 0) throw new Problem("unprocessable", { errors: all });
  const { collection, body, references } = input;
  for (const trial of collection.trials?.(body, references) ?? []) await planStatement(tx, trial, plans);
};
