import type { ResultRow } from "@ikg/contracts";
import { openAdmin } from "../requests/clients.ts";
import { execute } from "../requests/execute.ts";
import { takeEffect } from "../take-effect.ts";
import { storePolicy } from "./save-policy.ts";
import { storeQuery } from "./save-query.ts";
import type { Tenant } from "./tenant.ts";

/** Everything that a project holds, as its owner can read it. */
export interface Census {
  readonly nodes: readonly ResultRow[];
  readonly relationships: readonly ResultRow[];
  /** Ids of the records of each collection. */
  readonly records: Readonly<Record<string, readonly string[]>>;
}

/** Collections of records that belong to a project. */
export const projectCollections = [
  "applications",
  "agents",
  "agentCredentials",
  "policies",
  "queries",
  "introspects",
] as const;

const allRows = (id: string, tenant: Tenant): Promise<readonly ResultRow[]> =>
  execute({ id, page_size: 1_000 }, tenant);

const storeReading = async ({ projectId }: Tenant, pattern: string, reads: object): Promise<string> => {
  const policyId = await storePolicy(projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: `MATCH (subject:_Application) MATCH ${pattern}` },
      allowed_reads: reads,
    },
  });
  return storeQuery(projectId, { policyId, query: reads });
};

/** Prepares to count: two taken before and after something are equal when nothing was written. */
export const openCensus = async (tenant: Tenant): Promise<() => Promise<Census>> => {
  const [nodesQuery, edgesQuery] = await Promise.all([
    storeReading(tenant, "(n)", { nodes: ["n.*"] }),
    storeReading(tenant, "(a)-[r]->(b)", {
      nodes: ["a.external_id", "b.external_id"],
      relationships: ["r.type", "r.*"],
    }),
  ]);
  await takeEffect();
  return async () => ({
    nodes: await allRows(nodesQuery, tenant),
    relationships: await allRows(edgesQuery, tenant),
    records: Object.fromEntries(
      await Promise.all(
        projectCollections.map(async (name) => {
          const records = await openAdmin(tenant.projectId)[name].list();
          return [name, records.map(({ id }) => id)] as const;
        }),
      ),
    ),
  });
};
