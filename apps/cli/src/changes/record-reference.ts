import type { IkgAdmin } from "@ikg/client";
import { CommandFault } from "../surroundings.ts";
import { isNotFound } from "./is-not-found.ts";

/** `may-fly`, `may-fly@2`, `queries/rated-pilots@1`: a policy or query, now or as it was. */
export interface RecordReference {
  readonly text: string;
  readonly kind: "policies" | "queries" | undefined;
  readonly name: string;
  readonly version: number | undefined;
}

export const recordReference = (text: string): RecordReference => {
  const [, kind, name = "", version] = /^(?:(policies|queries)\/)?([^@/]+)(?:@(\d+))?$/.exec(text) ?? [];
  if (name === "")
    throw new CommandFault(
      `${text}: NAME or NAME@VERSION expected, with policies/ or queries/ before it if needed`,
    );
  return {
    text,
    kind: kind === "policies" || kind === "queries" ? kind : undefined,
    name,
    version: version === undefined ? undefined : Number(version),
  };
};

/** Which collection has a record of this name: policies first. */
export const collectionOf = async (
  admin: IkgAdmin,
  { kind, name }: Pick<RecordReference, "kind" | "name">,
): Promise<"policies" | "queries"> => {
  for (const collection of kind === undefined ? (["policies", "queries"] as const) : [kind])
    try {
      await admin[collection].get(name);
      return collection;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  const what = { policies: "policy", queries: "query" } as const;
  throw new CommandFault(`no ${kind === undefined ? "policy or query" : what[kind]} is called ${name}`);
};

/** What there is instead of a version. */
const versionFault = async (
  admin: IkgAdmin,
  collection: "policies" | "queries",
  name: string,
  version: number,
): Promise<CommandFault> => {
  const all = await admin[collection].versions(name).toArray();
  const versions = all.map((each) => each.version);
  const [first, last] = [Math.min(...versions), Math.max(...versions)];
  return new CommandFault(
    versions.includes(version)
      ? `the text of version ${version} of ${name} is no longer kept`
      : `${name} has no version ${version}: ${first === last ? `only ${last}` : `${first} to ${last}`}`,
  );
};

/** A read answers 404 for a version that is not there, a rollback 422. */
const isVersionMissing = (error: unknown): boolean =>
  isNotFound(error) ||
  (error instanceof Error &&
    "errors" in error &&
    Array.isArray(error.errors) &&
    error.errors.some((each) => String(each).startsWith("version: the record has no such version")));

/** Calls for a version of a record. @throws CommandFault that says which versions there are */
export const withVersion = async <T>(
  admin: IkgAdmin,
  collection: "policies" | "queries",
  { name, version }: Pick<RecordReference, "name" | "version">,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (version === undefined || !isVersionMissing(error)) throw error;
    throw await versionFault(admin, collection, name, version);
  }
};

/** The record, now or as it was. */
export const readReferenced = async (
  admin: IkgAdmin,
  reference: RecordReference,
): Promise<Readonly<Record<string, unknown>>> => {
  const { name, version } = reference;
  const collection = await collectionOf(admin, reference);
  const records = admin[collection];
  return {
    ...(await withVersion(admin, collection, reference, (): Promise<object> =>
      records.get(name, { version }),
    )),
  };
};
