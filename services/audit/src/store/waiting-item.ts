import { canonical, organizationField, recordField } from "@ikg/audit";
import { isJsonObject, tryParseJson } from "@ikg/contracts";

/** An entry of a stream, as Redis answers it. */
export type Entry = readonly [id: string, fields: readonly string[]];

/** A waiting item of a chain: an entry of its stream, or records that were committed with a change. */
export interface WaitingItem {
  readonly source: "stream" | "outbox";
  /** Id of the entry, or key of the stored records. */
  readonly id: string;
  readonly organization: string;
  /** Canonical texts of the records; none where it holds no record. */
  readonly events: readonly string[];
  /** Time of the first record; empty without one. */
  readonly time: string;
}

export const fieldOf = (fields: readonly string[], name: string): string | undefined => {
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === name);
  return at < 0 ? undefined : fields[at + 1];
};

/** The value with U+FFFD in place of lone surrogates, which JSON can escape and which have no canonical text. */
const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  );
};

/** The canonical text of a record, whatever it holds: one without any would hold up all records behind it. */
const eventOf = (record: object): string => {
  try {
    return canonical(record);
  } catch {
    return canonical(wellFormed(record));
  }
};

const recordsIn = (values: readonly unknown[]) => {
  const records = values.filter(isJsonObject);
  const time = records[0]?.["time"];
  return { events: records.map(eventOf), time: typeof time === "string" ? time : "" };
};

export const itemOfEntry = ([id, fields]: Entry): WaitingItem => ({
  source: "stream",
  id,
  organization: fieldOf(fields, organizationField) ?? "",
  ...recordsIn([tryParseJson(fieldOf(fields, recordField) ?? "")]),
});

/** @param records JSON of an array of records */
export const itemOfOutbox = (id: string, organization: string, records: string): WaitingItem => {
  const values = tryParseJson(records);
  return { source: "outbox", id, organization, ...recordsIn(Array.isArray(values) ? values : []) };
};

/** Merges both sources by time; each keeps its own order. */
export const mergeByTime = (
  stream: readonly WaitingItem[],
  outbox: readonly WaitingItem[],
): readonly WaitingItem[] => {
  const all: WaitingItem[] = [];
  let next = 0;
  for (const item of stream) {
    for (let first = outbox[next]; first !== undefined && first.time <= item.time; first = outbox[next]) {
      all.push(first);
      next += 1;
    }
    all.push(item);
  }
  return [...all, ...outbox.slice(next)];
};
