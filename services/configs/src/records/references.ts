import { type Fields, type Gid, Problem } from "@ikg/contracts";
import type { Collection, Reference } from "./collection.ts";
import type { StoredRecord } from "./record.ts";
import type { CallerContext } from "./store.ts";

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
 * The record that a reference names, among records that were read.
 *
 * @throws Problem `not_found` when the caller's organization has no such record.
 */
export const resolveReference = (
  records: ReadonlyMap<Gid, StoredRecord>,
  { field, kind, id }: Reference,
  caller: CallerContext,
): StoredRecord => {
  const record = records.get(id);
  if (record === undefined || record.kind !== kind || record.organizationId !== caller.organizationId)
    throw new Problem("not_found", { errors: [`${field}: not found`] });
  return record;
};
