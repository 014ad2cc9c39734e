import {
  type ChangeableCollection,
  type UpdateOf,
  faultsOf,
  type Fields,
  type Gid,
  isGid,
  Problem,
} from "@ikg/contracts";
import type { Collection } from "../records/collection.ts";
import { clearingAbsent } from "../history/put-content.ts";
import { kindOf } from "../history/kinds.ts";
import { versionInChanges } from "../history/read-changes.ts";
import { bodyOf } from "../records/content.ts";
import { readRecord, readRecordByName } from "../records/read.ts";
import type { Data } from "../records/record.ts";
import type { CallerContext, Store } from "../records/store.ts";

/** What a version was: as it is stored with its record, else as its change record keeps it. */
const formerContent = async (
  store: Store,
  collection: Collection,
  name: ChangeableCollection,
  id: Gid,
  version: number,
  caller: CallerContext,
): Promise<Data> => {
  const present = await readRecord(store, kindOf[name], id, caller);
  try {
    const former = await readRecord(store, kindOf[name], id, caller, version);
    const {
      name: _name,
      [collection.parent.field]: _parent,
      ...body
    } = bodyOf(collection, store.keys, former);
    return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  } catch (error) {
    if (!(error instanceof Problem && error.code === "not_found")) throw error;
  }
  const kept = await versionInChanges(store, name, id, version, caller);
  if (kept === undefined)
    throw new Problem("unprocessable", {
      errors: ["version: the record has no such version, or none is kept"],
    });
  const { policy, ...content } = kept;
  if (name === "authorization-policies" || typeof policy !== "string" || present.projectId === undefined)
    return kept;
  const used = await readRecordByName(store, "authorization_policy", present.projectId, policy, caller);
  return { ...content, policy_id: used.id };
};

/**
 * The update that gives a record the content of one of its versions, by the rules of today.
 *
 * @throws Problem `not_found` for a record of others; `unprocessable` for a version that is not kept, or that the rules refuse.
 */
export const changeToVersion = async (
  store: Store,
  collection: Collection,
  name: ChangeableCollection,
  id: string,
  version: number,
  caller: CallerContext,
): Promise<UpdateOf<Fields>> => {
  if (!isGid(id)) throw new Problem("not_found");
  if (collection.update === undefined) throw new Error(`records of ${collection.kind} are never updated`);
  const content = clearingAbsent(
    collection,
    await formerContent(store, collection, name, id, version, caller),
  );
  const change = collection.update.safeParse(content, { reportInput: true });
  if (!change.success) throw new Problem("unprocessable", { errors: faultsOf(change.error) });
  return change.data;
};
