import { expect, it } from "@jest/globals";
import { long } from "../../src/long.ts";
import { slowDecision, slowSearch } from "../../src/neighbours/heavy-tenant.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { withKey } from "../../src/requests/data-plane.ts";

const neighbours = useNeighbours();

it("requests of every kind that one project sends at once take turns beside another project", async () => {
  const { heavy } = neighbours;
  const kinds = [
    ["/access/v1/search/resource", slowSearch],
    ["/access/v1/evaluation", slowDecision],
    ["/ciq/v1/execute", { id: heavy.queryId }],
  ] as const;
  const { result, faults } = await neighbours.beside(() =>
    Promise.all(
      Array.from({ length: long(40, 80) }, () =>
        kinds.map(([path, json]) => withKey(path, heavy, { json })),
      ).flat(),
    ),
  );
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(result))}\n`);
  expect(faultyRefusals(result)).toEqual([]);
  // What waited for its turn too long was refused by the gateway.
  const refused = result.filter(({ status, text }) => status === 429 && text.includes("turns of requests: "));
  expect(refused.length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
}, 120_000);
