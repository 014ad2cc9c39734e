import type { IkgAdmin } from "@ikg/client";
import { clearedFields, recordDescriptions } from "@ikg/contracts";
import { describeError } from "../program/describe-error.ts";
import { collectionNames } from "../records/collection-names.ts";
import { type AnyCollection, inAnyState, openCollection, updatable } from "../records/open-collection.ts";
import { CommandFault } from "../command-environment.ts";
import { withConflicts } from "./conflict-fault.ts";
import type { Difference } from "./difference.ts";
import { requireVariables, withSecrets } from "./environment.ts";
import { type Fields, type OtherCollection, otherCollections } from "./project-files.ts";
import { descriptionOf } from "./stated-fields.ts";
import { recordKey, versionIn, type Versions, type WrittenVersions } from "./versions.ts";

type RecordDifference = Difference<OtherCollection>;
type Variables = Readonly<Record<string, string | undefined>>;

/** Rolls back a write. */
type Undo = () => Promise<unknown>;

/** The result of a deletion. */
export interface RecordDeletion {
  readonly collection: string;
  readonly name: string;
  /** The reason of a failure. */
  readonly failure: string | undefined;
}

export interface RecordApplicationOptions {
  /** Environment variables, the secrets among them. */
  readonly variables: Variables;
  /** Versions of the records at the time of the comparison. */
  readonly versions: Versions | undefined;
  /** Receives the new versions. */
  readonly written: WrittenVersions;
}

const open = (admin: IkgAdmin, collection: string): AnyCollection => {
  const name = collectionNames[collection];
  if (name === undefined) throw new Error(`no collection ${collection}`);
  return openCollection(admin, name);
};

/** Files refer to other records by name, because ids differ between projects: `application` stands for `application_id`. */
const bodyOf = async (admin: IkgAdmin, collection: OtherCollection, fields: Fields): Promise<Fields> => {
  const { fields: described, parent } = descriptionOf(collection);
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const id = `${name}_id`;
    const kind = id === parent.field ? parent.kind : described[id]?.reference;
    const target = recordDescriptions.find((each) => each.kind === kind);
    if (target === undefined) body[name] = value;
    else body[id] = (await open(admin, target.path.slice(1)).get(String(value))).id;
  }
  return body;
};

/** The fields of an update. What the record has and the file omits is cleared, if it can be (`clearedFields`). */
const updateOf = (collection: OtherCollection, body: Fields, before: Fields): Fields => {
  const description = descriptionOf(collection);
  const { fields: described, parent } = description;
  const cleared = clearedFields(description);
  const entries = Object.entries(described).flatMap(([name, { update }]) => {
    if (update === "ignored" || update === "fixed" || name === "name" || name === parent.field) return [];
    if (name in body) return [[name, body[name]] as const];
    const wasSet = name in before || name.replace(/_id$/, "") in before;
    return wasSet && name in cleared ? [[name, cleared[name]] as const] : [];
  });
  return Object.fromEntries(entries);
};

/** Creates, updates and deletes records of `project.yaml`, one by one. */
export class RecordApplication {
  readonly #admin: IkgAdmin;
  readonly #variables: Variables;
  readonly #versions: Versions | undefined;
  readonly #written: WrittenVersions;
  readonly #undone: Undo[] = [];

  constructor(admin: IkgAdmin, { variables, versions, written }: RecordApplicationOptions) {
    this.#admin = admin;
    this.#variables = variables;
    this.#versions = versions;
    this.#written = written;
  }

  /** @throws CommandFault for records whose secrets are missing in the environment */
  requireSecrets(differences: readonly RecordDifference[]): void {
    const created = differences.filter(({ before }) => before === undefined);
    requireVariables(created.flatMap(({ after = {} }) => withSecrets(after, this.#variables).missing));
  }

  /** Writes each record after those that it refers to. */
  async write(differences: readonly RecordDifference[]): Promise<void> {
    for (const difference of differences)
      if (difference.after !== undefined)
        await this.#guarded(difference, (ifMatch) => this.#put(difference, ifMatch));
  }

  /** Deletes each record before those that it refers to. A failure does not stop the other deletions. */
  async delete(differences: readonly RecordDifference[]): Promise<readonly RecordDeletion[]> {
    const order = (each: RecordDifference): number => otherCollections.indexOf(each.collection);
    const gone = differences.filter(({ after }) => after === undefined);
    const deletions: RecordDeletion[] = [];
    for (const difference of gone.toSorted((a, b) => order(b) - order(a))) {
      const { collection, name } = difference;
      const failure = await this.#guarded(difference, (ifMatch) =>
        open(this.#admin, collection).delete(name, ifMatch === undefined ? inAnyState : { ifMatch }),
      ).then(
        () => void this.#written.set(recordKey(difference), { version: 0 }),
        (error: unknown) => describeError(error, false),
      );
      deletions.push({ collection, name, failure });
    }
    return deletions;
  }

  /** Rolls back all writes in reverse order. @returns what could not be rolled back */
  async undo(): Promise<readonly string[]> {
    const failures: string[] = [];
    for (const key of this.#written.keys()) this.#written.set(key, null);
    for (const undo of this.#undone.toReversed())
      await undo().catch((error: unknown) => failures.push((error as Error).message));
    return failures;
  }

  /** Writes a record. @throws CommandFault if it has changed since it was read */
  #guarded<T>(record: RecordDifference, write: (ifMatch: string | undefined) => Promise<T>): Promise<T> {
    const ifMatch = this.#versions?.get(recordKey(record))?.etag;
    return withConflicts(this.#admin, [record], this.#versions, () => write(ifMatch));
  }

  async #put(difference: RecordDifference, ifMatch: string | undefined): Promise<void> {
    const { collection, name, before, after = {} } = difference;
    const key = recordKey(difference);
    // The new version is unknown until the response.
    this.#written.set(key, null);
    const records = open(this.#admin, collection);
    const { fields } = withSecrets(after, this.#variables);
    const body = await bodyOf(this.#admin, collection, fields);
    if (before === undefined) {
      const { id } = await this.#attempt(
        () => records.create({ ...body, name }),
        // Another client may have created a record of this name.
        () => Promise.reject(new CommandFault(`${collection} ${name}: it is unknown whether it was created`)),
      );
      this.#undone.push(() => records.delete(id, inAnyState));
      this.#written.set(key, { version: 1 });
      return;
    }
    const { update } = updatable(records);
    const change = updateOf(collection, body, before);
    if (Object.keys(change).length === 0)
      throw new CommandFault(`${collection} ${name}: these fields cannot be changed`);
    const formerBody = await bodyOf(this.#admin, collection, withSecrets(before, {}).fields);
    const undo: Undo = () => update.call(records, name, () => updateOf(collection, formerBody, after));
    await this.#attempt(() => update.call(records, name, () => change, { ifMatch }), undo);
    this.#undone.push(undo);
    const former = versionIn(this.#versions, difference);
    this.#written.set(key, former === undefined ? null : { version: former + 1 });
  }

  /** Writes a record. @param undo rolls back a write that may have happened although the response was lost. */
  async #attempt<T>(write: () => Promise<T>, undo: Undo): Promise<T> {
    const { isOutcomeUnknown } = await import("@ikg/client");
    try {
      return await write();
    } catch (error) {
      if (isOutcomeUnknown(error)) this.#undone.push(undo);
      throw error;
    }
  }
}
