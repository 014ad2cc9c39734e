import type { IkgAdmin } from "@ikg/client";
import { CommandFault } from "../surroundings.ts";

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

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 404;

/** Which collection has a record of this name: policies first. */
export const collectionOf = async (
  admin: IkgAdmin,
  { kind, name }: Pick<RecordReference, "kind" | "name">,
): Promise<"policies" | "queries"> => {
  if (kind !== undefined) return kind;
  try {
    await admin.policies.get(name);
    return "policies";
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  try {
    await admin.queries.get(name);
    return "queries";
  } catch (error) {
    if (isNotFound(error)) throw new CommandFault(`there is no policy and no query ${name}`);
    throw error;
  }
};

/** The record, now or as it was. */
export const readReferenced = async (
  admin: IkgAdmin,
  reference: RecordReference,
): Promise<Readonly<Record<string, unknown>>> => {
  const { name, version } = reference;
  const collection = await collectionOf(admin, reference);
  return { ...(await (collection === "policies" ? admin.policies : admin.queries).get(name, { version })) };
};
