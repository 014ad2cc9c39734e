import type { Faults } from "../checked.ts";
import { member, namePattern, readArray, readName, readObject } from "../shape.ts";
import { readGiven, type Given } from "./given.ts";
import type { ValueKind } from "./value-kind.ts";
import type { MetadataWrite, PropertyWrite } from "./writes.ts";

/** Adds a fault for a name that an earlier entry of the list has. */
const onceOnly = (faults: Faults): ((name: string, path: string) => void) => {
  const seen = new Set<string>();
  return (name, path) => {
    if (seen.has(name)) faults.add(path, "given twice");
    seen.add(name);
  };
};

const metadataKinds: Readonly<Record<string, ValueKind>> = {
  verified_time: "verified_time",
  source: "source",
  assurance_level: "assurance_level",
};

const kindOfMetadata = (key: string): ValueKind =>
  (Object.hasOwn(metadataKinds, key) ? metadataKinds[key] : undefined) ?? "value";

const readMetadata = (value: unknown, path: string, faults: Faults): readonly MetadataWrite[] => {
  const once = onceOnly(faults);
  return readArray(value, path, faults).flatMap((entry, index): MetadataWrite[] => {
    const at = `${path}[${index}]`;
    const object = readObject(entry, at, ["type", "value"], faults);
    if (object === undefined) return [];
    const key = readName(member(object, "type"), `${at}.type`, namePattern, "a metadata key", faults);
    if (key !== undefined) once(key, `${at}.type`);
    const given = readGiven(member(object, "value"), `${at}.value`, kindOfMetadata(key ?? ""), faults);
    return key === undefined || given === undefined ? [] : [{ key, given }];
  });
};

/** What may stand in a property entry: relationships know neither metadata nor resolvers (8.3). */
export type PropertyHolder = "node" | "relationship";

const readContent = (
  entry: { readonly value: unknown; readonly external: unknown },
  at: string,
  faults: Faults,
): Pick<PropertyWrite, "content" | "given"> | undefined => {
  const { value, external } = entry;
  if ((value === undefined) === (external === undefined)) {
    faults.add(at, "exactly one of value and external_value expected");
    return undefined;
  }
  const content = value === undefined ? "external_value" : "value";
  const given: Given | undefined = readGiven(value ?? external, `${at}.${content}`, content, faults);
  return given && { content, given };
};

/** Reads the `properties` of an upsert entry: stage (b) of policies specification 1. */
export const readProperties = (
  value: unknown,
  path: string,
  holder: PropertyHolder,
  faults: Faults,
): readonly PropertyWrite[] => {
  const once = onceOnly(faults);
  return readArray(value, path, faults).flatMap((entry, index): PropertyWrite[] => {
    const at = `${path}[${index}]`;
    const object = readObject(entry, at, ["type", "value", "external_value", "metadata"], faults);
    if (object === undefined) return [];
    const name = readName(member(object, "type"), `${at}.type`, namePattern, "a property name", faults);
    if (name !== undefined) once(name, `${at}.type`);
    const external = member(object, "external_value");
    const metadata = member(object, "metadata");
    if (holder === "relationship") {
      if (external !== undefined) faults.add(`${at}.external_value`, "not possible on a relationship");
      if (metadata !== undefined) faults.add(`${at}.metadata`, "not possible on a relationship");
      if (external !== undefined || metadata !== undefined) return [];
    }
    const content = readContent({ value: member(object, "value"), external }, at, faults);
    const read = readMetadata(metadata, `${at}.metadata`, faults);
    return name === undefined || content === undefined ? [] : [{ name, ...content, metadata: read }];
  });
};
