import { type IkgAdmin, isNotFound } from "@ikg/client";
import { CommandFault } from "../command-environment.ts";

/** A reference to a policy or query, or to a version of it: `may-fly`, `may-fly@2`, `queries/rated-pilots@1`. */
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
      `${text}: NAME or NAME@VERSION expected, optionally with the prefix policies/ or queries/`,
    );
  return {
    text,
    kind: kind === "policies" || kind === "queries" ? kind : undefined,
    name,
    version: version === undefined ? undefined : Number(version),
  };
};

/** The collection that has a record of this name; policies take precedence. */
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
  throw new CommandFault(`unknown ${kind === undefined ? "policy or query" : what[kind]} ${name}`);
};

/** The error for a missing version, with the available ones. */
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
      ? `the text of version ${version} of ${name} is no longer stored`
      : `${name} has no version ${version}; available: ${first === last ? `only ${last}` : `${first} to ${last}`}`,
  );
};

/** For a missing version, a read responds with 404 and a rollback with 422. */
const isVersionMissing = (error: unknown): boolean =>
  isNotFound(error) ||
  (error instanceof Error &&
    "errors" in error &&
    Array.isArray(error.errors) &&
    error.errors.some((each) => String(each).startsWith("version: the record has no such version")));

/** Makes a request for a version of a record. @throws CommandFault with the available versions */
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

/** Reads the current or the referenced version of the record. */
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
