/** Resource search with a thousand results, beside the query by hand. */
import neo4j from "neo4j-driver";
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns } from "../../../stack/src/measurement/turns.ts";
import { read } from "../raw-driver.ts";
import { hubPerson } from "../drive/hub.ts";
import { handWrittenSearch } from "../drive/rules.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { atMost, countText, type Line, msText, reported } from "../targets.ts";
import type { Client } from "./asks.ts";
import type { Bench } from "./bench.ts";
import { targets, plan } from "./plan.ts";
import type { Project } from "../project.ts";

/** That all are found. */
const question = { expected: true } as const;

type Search = Ask<typeof question>;

const searcher = hubPerson(plan.searched);

const body = JSON.stringify({
  subject: { type: "Person", id: searcher },
  action: { name: "READ" },
  resource: { type: "Document" },
});

const askClient =
  (client: Client): Search =>
  async () => {
    // Results, by the status.
    const { results } = (await client.post("/access/v1/search/resource", body)) as {
      readonly results: readonly { readonly id: string }[];
    };
    return new Set(results.map(({ id }) => id)).size === plan.searched;
  };

/** @param hubs the project of the hub graph, where a person owns exactly as many documents */
export const measureSearch = async ({ driver, clients }: Bench, hubs: Project): Promise<readonly Line[]> => {
  const text = handWrittenSearch(hubs.pk);
  const params = { subject: nodeKey(hubs.pk, "Person", searcher), limit: neo4j.int(plan.searched) };
  const rawQuery: Search = async () => {
    const rows = await read<{ id: string }>(driver, text, params);
    return new Set(rows.map(({ id }) => id)).size === plan.searched;
  };
  const direct = askClient(await clients.access(hubs));
  const gateway = askClient(clients.gateway(hubs));
  const cycle = inTurn([question]);
  const turns = await takeTurns(
    {
      driver: (ms) => run(rawQuery, cycle, 1, ms),
      access: (ms) => run(direct, cycle, 1, ms),
      gateway: (ms) => run(gateway, cycle, 1, ms),
    },
    plan.search,
    "searches",
  );
  const results = `${countText(plan.searched)} results`;
  const baseline = `raw query: ${msText(turns.summary("driver").p50)}`;
  return [
    {
      what: `resource search, ${results}, service directly, p50`,
      figure: msText(turns.summary("access").p50),
      ...atMost(turns.ratio("access", "driver", "p50"), targets.search),
      baseline,
    },
    {
      what: `resource search, ${results}, through the gateway, p50`,
      figure: msText(turns.summary("gateway").p50),
      ...reported(turns.ratio("gateway", "driver", "p50")),
      baseline,
    },
  ];
};
