import { type BodyOf, type Fields, type Gid, Problem } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lookUpProperties, nameKey, recordLabel } from "@ikg/physical";
import type { Collection, Once } from "./collection.ts";
import type { Data } from "./record.ts";

/** What is unique about a record besides its id. */
export interface Keys {
  readonly name: string | undefined;
  readonly once: Once | undefined;
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
  const once = collection.once?.(body, scopeId);
  const key = name === undefined ? undefined : nameKey(collection.kind, scopeId, name);
  return {
    name: key,
    once,
    properties: {
      ...(key === undefined ? {} : { [lookUpProperties.nameKey]: key }),
      ...(once === undefined ? {} : { [lookUpProperties.uniqueKey]: once.key }),
    },
  };
};

const conflictText = [
  `OPTIONAL MATCH (n:${recordLabel} {${lookUpProperties.nameKey}: $name})`,
  `OPTIONAL MATCH (u:${recordLabel} {${lookUpProperties.uniqueKey}: $once})`,
  "RETURN n.id AS name, u.id AS once",
].join(" ");

/**
 * @param own the record that may hold them already
 * @throws Problem `conflict` when another record has one of the keys.
 */
export const checkFree = async (tx: Transaction, { name, once }: Keys, own?: Gid): Promise<void> => {
  const [row] = await tx.run(conflictText, { name: name ?? null, once: once?.key ?? null });
  const taken = (value: unknown): boolean => value !== null && value !== undefined && value !== own;
  if (taken(row?.["name"])) throw new Problem("conflict", { errors: ["name: already in use"] });
  if (once !== undefined && taken(row?.["once"])) throw new Problem("conflict", { errors: [once.fault] });
};
