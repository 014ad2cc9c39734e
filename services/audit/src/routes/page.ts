import { type Caller, type Gid, isGid, Problem, type Reach, reaches, roleMissing } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { recordLabel } from "@ikg/physical";
import { type Route, route } from "@ikg/service";
import { z } from "zod";
import type { ChainReads, Chains } from "../store/chains.ts";
import { cursorOf, sequenceOf } from "./cursor.ts";

const largest = 50;

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
export interface ListSources {
  readonly chains: Chains;
  /** Chains for one organization, whose statements take turns with those of others. */
  readonly chainsFor: (organization: Gid) => ChainReads;
  readonly database: Database;
}

const ownerText = `MATCH (r:${recordLabel} {id: $id}) RETURN r.organization_id AS organization`;

/**
 * A key reads the chain of its project; an administrator that of the organization and of every project that is or was
 * part of it, where a role reaches.
 *
 * @throws Problem "permission_missing", "role_missing" (403)
 */
const requireOwn = async (
  { chains, database }: ListSources,
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

interface ListItem {
  readonly sequence: number;
}

/** A page of what was found, which is one more than the page has where there are more. */
export const pageOf = (found: readonly ListItem[], pagesize: number): object => {
  const items = found.slice(0, pagesize);
  const has_more = found.length > pagesize;
  const last = items.at(-1);
  return { items, has_more, next_cursor: has_more && last !== undefined ? cursorOf(last.sequence) : "" };
};

/** What a caller asks for. */
export interface ListRequest<Q extends PageQuery> {
  readonly project: Gid;
  /** Of the caller. */
  readonly organization: Gid;
  readonly chains: ChainReads;
  readonly query: Q;
}

/** What an endpoint lists. */
interface ListEndpoint<Q extends PageQuery> {
  readonly operation: string;
  readonly path: string;
  readonly queryParameters: z.ZodType<Q>;
  page(this: void, request: ListRequest<Q>): Promise<object>;
}

/** GET of a page of what a chain consists of. */
export const pageRoute = <Q extends PageQuery>(
  sources: ListSources,
  { operation, path, queryParameters, page }: ListEndpoint<Q>,
): Route =>
  route({
    operation,
    method: "get",
    path: `/audit/v1${path}`,
    caller: "either",
    permission: "Audit",
    queryParameters,
    handle: async ({ caller, reach, query }) => {
      const { project_id: project } = query;
      await requireOwn(sources, caller, reach, project);
      const organization = caller.org;
      return page({ project, organization, chains: sources.chainsFor(organization), query });
    },
  });
