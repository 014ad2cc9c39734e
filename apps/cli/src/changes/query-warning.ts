import { type IkgAdmin, isNotFound, type SimulationFields } from "@ikg/client";
import type { Difference } from "../project-folder/difference.ts";
import type { Fields, Named } from "../project-folder/project-files.ts";
import type { CommandEnvironment } from "../command-environment.ts";

type Change = SimulationFields["changes"][number];

/** Whether a policy, as text or as an object, is one for queries. */
const isForQueries = (policy: unknown): boolean =>
  /"policy_version"\s*:\s*"[^"]*-ciq"/.test(
    typeof policy === "string" ? policy : (JSON.stringify(policy) ?? ""),
  );

const servedText = (name: string, queries: readonly Named[]): string => {
  const served = queries.flatMap((each) =>
    [...each].filter(([, { policy }]) => policy === name).map(([query]) => query),
  );
  return served.length === 0 ? name : `${name} (of ${[...new Set(served)].toSorted().join(", ")})`;
};

/**
 * The differences that affect rows of queries; each policy is listed with the queries that use it.
 *
 * @param queries the current and the changed queries.
 */
export const queriesConcerned = (
  texts: readonly Difference[],
  queries: readonly Named[],
): readonly string[] =>
  texts.flatMap(({ collection, name, before, after }) => {
    // A created record had no rows.
    if (before === undefined) return [];
    if (collection === "knowledge-queries") return [name];
    const isConcerned = isForQueries(before["policy"]) || isForQueries(after?.["policy"]);
    return isConcerned ? [servedText(name, queries)] : [];
  });

/** The current policy; undefined if it does not exist. */
const currentPolicy = async ({ policies }: IkgAdmin, name: string): Promise<Fields | undefined> =>
  policies.get(name).then(
    (policy) => ({ ...policy }),
    (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    },
  );

/** The same for changes of a file. The type of a deleted policy is read from the suite. */
export const queriesChanged = async (
  admin: IkgAdmin,
  changes: readonly Change[],
): Promise<readonly string[]> => {
  const names = changes.map(async (change) => {
    if (change.collection === "knowledge-queries") return [change.name];
    const after = change.op === "put" ? change.record.policy : undefined;
    const isConcerned =
      isForQueries(after) ||
      (change.op === "delete" && isForQueries((await currentPolicy(admin, change.name))?.["policy"]));
    return isConcerned ? [change.name] : [];
  });
  return (await Promise.all(names)).flat();
};

/** Warns that rows of queries were not compared, if the changes affect any. */
export const warnOfQueries = (names: readonly string[], { error }: CommandEnvironment): void => {
  if (names.length > 0)
    error(
      `warning: ${names.join(", ")}: rows of queries were not compared; list the queries as "queries" in a file for ikg simulate to compare them\n`,
    );
};
