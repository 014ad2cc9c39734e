import neo4j from "neo4j-driver";

/** A value of a property as JSON that tells integers from floats, and keeps bytes, times and points. */
export type Json = null | string | boolean | number | readonly Json[] | { readonly [name: string]: Json };

const { types } = neo4j;

/** Types of the driver with their fields, in the order of their constructors. */
const structures = {
  Date: ["year", "month", "day"],
  LocalTime: ["hour", "minute", "second", "nanosecond"],
  Time: ["hour", "minute", "second", "nanosecond", "timeZoneOffsetSeconds"],
  LocalDateTime: ["year", "month", "day", "hour", "minute", "second", "nanosecond"],
  DateTime: [
    ...["year", "month", "day", "hour", "minute", "second", "nanosecond"],
    ...["timeZoneOffsetSeconds", "timeZoneId"],
  ],
  Duration: ["months", "days", "seconds", "nanoseconds"],
  Point: ["srid", "x", "y", "z"],
} as const;

type Structure = keyof typeof structures;
type Constructor = new (...fields: readonly unknown[]) => object;

const constructorOf = (name: Structure): Constructor => types[name] as unknown as Constructor; // one of the driver's

/** @throws Error for a value that no property holds. */
export const encodeValue = (value: unknown): Json => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return { i: String(value) };
  // JSON has neither of these.
  if (Object.is(value, -0)) return { f: "-0" };
  if (typeof value === "number") return Number.isFinite(value) ? value : { f: String(value) };
  if (Array.isArray(value)) return value.map(encodeValue);
  if (value instanceof Int8Array) return { b: Buffer.from(value).toString("base64") };
  for (const [name, fields] of Object.entries(structures))
    if (value instanceof constructorOf(name as Structure))
      return { t: name, v: fields.map((field) => encodeValue((value as Record<string, unknown>)[field])) };
  throw new Error("a property has a value of an unknown type");
};

/** @throws Error for JSON that `encodeValue` does not make. */
export const decodeValue = (json: Json): unknown => {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) return json.map(decodeValue);
  const { i, f, b, t, v } = json as Readonly<Record<string, Json>>;
  if (typeof i === "string") return BigInt(i);
  if (typeof f === "string") return Number(f);
  if (typeof b === "string") return new Int8Array(Buffer.from(b, "base64"));
  if (typeof t === "string" && t in structures && Array.isArray(v))
    return new (constructorOf(t as Structure))(...v.map((field) => decodeValue(field) ?? undefined));
  throw new Error("a backup holds a value of an unknown type");
};

/** The properties that `encodedProperties` wrote: a member may be called as a tag is. */
export const decodedProperties = (properties: Json): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, Json>>).map(([name, json]) => [
      name,
      decodeValue(json),
    ]),
  );

/** Properties in the order of their names, so that equal ones are equal texts. */
export const encodedProperties = (properties: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.entries(properties)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, encodeValue(value)]),
  );
