import { type BodyOf, type Fields, type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lookUpProperties, nameKey, recordLabel } from "@ikg/physical";
import type { Collection, UniqueKey } from "./collection.ts";
import type { Data } from "./record.ts";

/** What is unique about a record besides its id. */
export interface Keys {
  readonly name: string | undefined;
  readonly uniqueKey: UniqueKey | undefined;
  readonly properties: Data;
}

/** @param scopeId the project or organization in which the collection's names are unique */
export const keysOf = <F extends Fields>(
  collection: Collection<F>,
  body: BodyOf<F>,
  scopeId: Gid | undefined,
): Keys => {
  if (scopeId === undefined) throw new Error("a project's record in a parent without a project");
  const name = body["name"] as string | undefined; // a field that every named collection describes alike
  const uniqueKey = collection.uniqueKey?.(body, scopeId);
  const key = name === undefined ? undefined : nameKey(collection.kind, scopeId, name);
  return {
    name: key,
    uniqueKey,
    properties: {
      ...(key === undefined ? {} : { [lookUpProperties.nameKey]: key }),
      ...(uniqueKey === undefined ? {} : { [lookUpProperties.uniqueKey]: uniqueKey.key }),
    },
  };
};

const conflictText = [
  `OPTIONAL MATCH (n:${recordLabel} {${lookUpProperties.nameKey}: $name})`,
  `OPTIONAL MATCH (u:${recordLabel} {${lookUpProperties.uniqueKey}: $uniqueKey})`,
  "RETURN n.id AS name, u.id AS uniqueKey",
].join(" ");

/**
 * @param own the record that may hold them already
 * @throws Problem `conflict` when another record has one of the keys.
 */
export const checkFree = async (tx: Transaction, { name, uniqueKey }: Keys, own?: Gid): Promise<void> => {
  const [row] = await tx.run(conflictText, { name: name ?? null, uniqueKey: uniqueKey?.key ?? null });
  const taken = (value: unknown): boolean => value !== null && value !== undefined && value !== own;
  if (taken(row?.["name"])) throw new Problem("conflict", { errors: ["name: already in use"] });
  if (uniqueKey !== undefined && taken(row?.["uniqueKey"]))
    throw new Problem("conflict", { errors: [uniqueKey.fault] });
};
