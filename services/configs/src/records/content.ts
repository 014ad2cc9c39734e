import type { BodyOf, Field, Fields, Gid } from "@ikg/contracts";
import { type KeyRing, open, seal } from "@ikg/secrets";
import type { Collection } from "./collection.ts";
import type { Data, StoredRecord } from "./record.ts";

/** Fields that every record keeps in a place of their own. */
const common: ReadonlySet<string> = new Set(["name", "display_name", "description"]);

/** Fields of the collection itself, without what every record has and without what contains it. */
const ownFields = ({ fields, parent }: Collection): readonly (readonly [string, Field])[] =>
  Object.entries(fields).filter(([name]) => !common.has(name) && name !== parent.field);

/** What a record keeps of its body. */
export interface Content {
  readonly data: Data;
  readonly text: string | undefined;
  /** Every property of its own that the collection has; undefined where the body has no value. */
  readonly columns: Data;
}

/** Splits a body into what is kept where; secrets are sealed. */
export const contentOf = <F extends Fields>(
  collection: Collection<F>,
  keys: KeyRing,
  id: Gid,
  body: BodyOf<F>,
): Content => {
  const data: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  let text: string | undefined;
  for (const [name, field] of ownFields(collection)) {
    const value: unknown = body[name];
    if (field.storedIn === "text") text = value as string; // the schema of a text
    else if (field.storedIn !== undefined) columns[field.storedIn.column] = value;
    else if (value !== undefined)
      data[name] =
        field.sealed === true ? seal(keys, { record: id, field: name }, JSON.stringify(value)) : value;
  }
  return { data, text, columns };
};

/** What was sealed, as it was before. */
const unsealed = (keys: KeyRing, record: StoredRecord, field: string, stored: unknown): unknown =>
  // A text, as everything that is kept sealed.
  JSON.parse(open(keys, { record: record.id, field }, stored as string));

const valueOf = (keys: KeyRing, record: StoredRecord, name: string, field: Field): unknown => {
  if (field.storedIn === "text") return record.text;
  if (field.storedIn !== undefined) return record.columns[field.storedIn.column];
  const stored = record.data[name];
  return field.sealed === true && stored !== undefined ? unsealed(keys, record, name, stored) : stored;
};

/** The body that would make a record what it is. */
export const bodyOf = <F extends Fields>(
  collection: Collection<F>,
  keys: KeyRing,
  record: StoredRecord,
): BodyOf<F> =>
  ({
    name: record.name,
    display_name: record.displayName,
    description: record.description,
    [collection.parent.field]: record.parentId,
    ...Object.fromEntries(
      ownFields(collection).map(([name, field]) => [name, valueOf(keys, record, name, field)]),
    ),
    // Written from a body of these fields.
  }) as BodyOf<F>;

/** What a read shows of a record's own fields: secrets as their description says; a text that was not read is empty. */
export const shownOf = (collection: Collection, keys: KeyRing, record: StoredRecord): Data =>
  Object.fromEntries(
    ownFields(collection).map(([name, field]) => {
      const value = valueOf(keys, record, name, field);
      if (field.storedIn === "text") return [name, value ?? ""];
      const { maskForRead } = field;
      return [name, value !== undefined && maskForRead ? maskForRead(value) : value];
    }),
  );

/** The data of a former state: of secrets only what a read may show. */
export const formerData = (collection: Collection, keys: KeyRing, record: StoredRecord): Data => {
  const data: Record<string, unknown> = { ...record.data };
  for (const [name, { maskForRead }] of ownFields(collection)) {
    if (maskForRead === undefined || data[name] === undefined) continue;
    const masked = maskForRead(unsealed(keys, record, name, data[name]));
    if (masked === undefined) delete data[name];
    else data[name] = seal(keys, { record: record.id, field: name }, JSON.stringify(masked));
  }
  return data;
};

/**
 * What an update makes of a record: the rule of each field says what an absent one means.
 *
 * @returns the body that the record shall have, and which fields the update supplied.
 */
export const merge = <F extends Fields>(
  { fields }: Collection<F>,
  current: BodyOf<F>,
  change: Readonly<Record<string, unknown>>,
): { readonly body: BodyOf<F>; readonly suppliedFields: ReadonlySet<string> } => {
  const merged = Object.entries(fields).map(([name, { update }]) => {
    const value = change[name];
    if (update === "required" || update === "replaced") return [name, value];
    const takesValue = update === "kept" && value !== undefined;
    // An empty text of a field with `emptyRemoves` arrives as null.
    return [name, takesValue ? (value ?? undefined) : current[name]];
  });
  const supplied = Object.entries(change).filter(([, value]) => value !== undefined);
  return {
    body: Object.fromEntries(merged) as BodyOf<F>, // each field by its rule
    suppliedFields: new Set(supplied.map(([name]) => name)),
  };
};
