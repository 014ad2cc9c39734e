import type { IkgAdmin, SimulationFields } from "@ikg/client";
import type { Difference } from "../project-folder/difference.ts";
import type { Fields, Named } from "../project-folder/project-files.ts";
import type { Surroundings } from "../surroundings.ts";
import { isNotFound } from "./is-not-found.ts";

type Change = SimulationFields["changes"][number];

/** Whether a policy, as text or as its tree, is one for queries. */
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
 * Which differences concern rows of queries, each policy with the queries that run under it.
 *
 * @param queries queries as they are, and as they would be.
 */
export const queriesConcerned = (
  texts: readonly Difference[],
  queries: readonly Named[],
): readonly string[] =>
  texts.flatMap(({ collection, name, before, after }) => {
    // What is created had no rows.
    if (before === undefined) return [];
    if (collection === "knowledge-queries") return [name];
    const isConcerned = isForQueries(before["policy"]) || isForQueries(after?.["policy"]);
    return isConcerned ? [servedText(name, queries)] : [];
  });

/** The policy as it is; undefined where there is none. */
const policyToday = async ({ policies }: IkgAdmin, name: string): Promise<Fields | undefined> =>
  policies.get(name).then(
    (policy) => ({ ...policy }),
    (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    },
  );

/** The same of changes of a file: what a deletion is about, the suite says. */
export const queriesChanged = async (
  admin: IkgAdmin,
  changes: readonly Change[],
): Promise<readonly string[]> => {
  const names = changes.map(async (change) => {
    if (change.collection === "knowledge-queries") return [change.name];
    const after = change.op === "put" ? change.record.policy : undefined;
    const isConcerned =
      isForQueries(after) ||
      (change.op === "delete" && isForQueries((await policyToday(admin, change.name))?.["policy"]));
    return isConcerned ? [change.name] : [];
  });
  return (await Promise.all(names)).flat();
};

/** Says that rows of queries were not looked at, where changes concern some. */
export const warnOfQueries = (names: readonly string[], { error }: Surroundings): void => {
  if (names.length > 0)
    error(
      `warning: ${names.join(", ")}: rows of queries were not looked at; "queries" in a file for ikg simulate compares them\n`,
    );
};
