import { type Caller, type Gid, isGid, Problem, type Reach, reaches, roleMissing } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { type Route, route } from "@ikg/service";
import { z } from "zod";
import type { Chains, PageQuestion } from "../store/chains.ts";

const largest = 50;

const cursorOf = (sequence: number): string => Buffer.from(`after ${sequence}`).toString("base64url");
const sequenceOf = (cursor: string): number | undefined => {
  const [, digits] =
    /^after ([1-9]\d{0,14})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  return digits === undefined || cursorOf(Number(digits)) !== cursor ? undefined : Number(digits);
};

/** What every list takes. */
export const pageQuery = z.object({
  project_id: z.string({ error: "required" }).refine(isGid, { error: "gid expected" }),
  cursor: z
    .string({ error: "string expected" })
    .optional()
    .transform((text, context) => {
      const sequence = text === undefined || text === "" ? undefined : sequenceOf(text);
      if (sequence === undefined && text !== undefined && text !== "")
        context.addIssue({ code: "custom", message: "not a cursor returned by this endpoint" });
      return sequence;
    }),
  pagesize: z
    .string({ error: "number expected" })
    .regex(/^0*[1-9]\d*$/, { error: "integer of at least 1 expected" })
    .default(String(largest))
    .transform((text) => Math.min(Number(text), largest)),
});

export type PageQuery = z.output<typeof pageQuery>;

/** What the endpoints that list read from. */
export interface Reading {
  readonly chains: Chains;
  readonly database: Database;
}

const ownerText = "MATCH (r:_Record {id: $id}) RETURN r.organization_id AS organization";

/**
 * A key reads the chain of its project; an administrator that of the organization and of every project that is or was
 * part of it, where a role reaches.
 *
 * @throws Problem "permission_missing", "role_missing" (403)
 */
const requireOwn = async (
  { chains, database }: Reading,
  caller: Caller,
  reach: Reach,
  id: Gid,
): Promise<void> => {
  if (caller.kind === "agent") {
    if (caller.project === id) return;
  } else {
    const requireReach = (project: Gid | undefined): void => {
      if (!reaches(reach, project)) throw roleMissing(caller);
    };
    if (caller.org === id) return requireReach(undefined);
    const [row] = await database.read(ownerText, { id }, { timeoutMs: 10_000 });
    const organization = row?.["organization"] ?? (await chains.organization(id));
    if (organization === caller.org) return requireReach(id);
  }
  throw new Problem("permission_missing", { message: "the project belongs to another organization" });
};

interface Listed {
  readonly sequence: number;
}

/** What an endpoint lists. */
interface Listing<Q extends PageQuery> {
  readonly operation: string;
  readonly path: string;
  readonly queryParameters: z.ZodType<Q>;
  list(this: void, question: PageQuestion, query: Q): Promise<readonly Listed[]>;
}

/** GET of a page of what a chain consists of. */
export const pageRoute = <Q extends PageQuery>(
  reading: Reading,
  { operation, path, queryParameters, list }: Listing<Q>,
): Route =>
  route({
    operation,
    method: "get",
    path: `/audit/v1${path}`,
    caller: "either",
    permission: "Audit",
    queryParameters,
    handle: async ({ caller, reach, query }) => {
      const { project_id: project, cursor: from, pagesize } = query;
      await requireOwn(reading, caller, reach, project);
      const found = await list({ project, from, limit: pagesize + 1 }, query);
      const items = found.slice(0, pagesize);
      const has_more = found.length > pagesize;
      const last = items.at(-1);
      return { items, has_more, next_cursor: has_more && last !== undefined ? cursorOf(last.sequence) : "" };
    },
  });
