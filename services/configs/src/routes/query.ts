import { type Gid, gidOf, Problem } from "@ikg/contracts";
import { z } from "zod";
import type { Collection } from "../records/collection.ts";
import type { CallerContext } from "../records/store.ts";

/** Query parameters that name where records belong. */
const scopeParameters = {
  project_id: gidOf("project").optional(),
  organization_id: gidOf("organization").optional(),
};

const integerFrom1 = { error: "integer from 1 expected" };
const version = z
  .string(integerFrom1)
  .regex(/^\d{1,15}$/, integerFrom1)
  .transform(Number)
  .refine((value) => value >= 1, integerFrom1)
  .optional();

/** Query of a read; `location` is another word for the project or organization. */
export const readQuery = (collection: Collection) =>
  z.object({ ...scopeParameters, location: gidOf(collection.scope).optional(), version });

export type ReadQuery = z.output<ReturnType<typeof readQuery>>;

const oneText = z.string({ error: "a single string expected" }).optional();

const ignored = z
  .unknown()
  .optional()
  .transform((): undefined => undefined);

/** Query of a removal; `etag` stands for `If-Match` where the collection says so. */
export const removeQuery = (collection: Collection) =>
  z.object({ etag: collection.etagInQuery === true ? oneText : ignored });

/** Query of a list; `type` only where the collection has types. */
export const listQuery = (collection: Collection) => {
  const types = collection.listTypes;
  return z.object({
    ...scopeParameters,
    search: oneText,
    full_fetch: z.enum(["true", "false"], { error: "true or false" }).optional(),
    type: types === undefined ? ignored : z.enum(types, { error: `one of ${types.join(", ")}` }).optional(),
  });
};

/** @throws Problem `not_found` for an organization that is not the caller's. */
export const checkOrganization = (
  query: { organization_id?: Gid | undefined },
  caller: CallerContext,
): void => {
  if (query.organization_id !== undefined && query.organization_id !== caller.organizationId)
    throw new Problem("not_found");
};

/**
 * The project or organization that a read names.
 *
 * @throws Problem `invalid_request` when it is given twice and differently.
 */
export const givenScope = (collection: Collection, query: ReadQuery): Gid | undefined => {
  const field = `${collection.scope}_id` as const;
  const given = query[field];
  if (given !== undefined && query.location !== undefined && given !== query.location)
    throw new Problem("invalid_request", { errors: [`location: differs from ${field}`] });
  return given ?? query.location;
};

/**
 * The project or organization in which a name is resolved.
 *
 * @param scope as the query gives it.
 * @throws Problem `invalid_request` when a project is needed and not given.
 */
export const nameScope = (collection: Collection, scope: Gid | undefined, caller: CallerContext): Gid => {
  if (scope !== undefined) return scope;
  if (collection.scope === "organization") return caller.organizationId;
  throw new Problem("invalid_request", { errors: [`${collection.scope}_id: required to read by name`] });
};
