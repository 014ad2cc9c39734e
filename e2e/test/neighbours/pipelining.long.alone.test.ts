import { expect, it } from "@jest/globals";
import { pipeline } from "../../../stack/src/measurement/pipeline.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { slowSearch } from "../../src/neighbours/heavy-tenant.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { withKey } from "../../src/requests/data-plane.ts";

const searches = "/access/v1/search/resource";

/** Fewer than by default, so that a test meets the limit with few requests. */
const neighbours = useNeighbours({ requests_in_flight: 64 });

it("120 pipelined searches on one connection are not all begun at once", async () => {
  const { heavy } = neighbours;
  const { result, faults } = await neighbours.beside(() =>
    pipeline(
      environment().base_url,
      { path: searches, apiKey: heavy.key, body: JSON.stringify(slowSearch), count: 120 },
      AbortSignal.timeout(long(8_000, 60_000)),
    ),
  );
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(result.map((status) => ({ status }))))}\n`);
  expect(faults).toEqual([]);
}, 120_000);

it("many requests of one key are refused beyond a limit that the refusal names", async () => {
  const { heavy } = neighbours;
  const { result, faults } = await neighbours.beside(() =>
    Promise.all(
      Array.from({ length: long(200, 1_000) }, () => withKey(searches, heavy, { json: slowSearch })),
    ),
  );
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(result))}\n`);
  expect(faultyRefusals(result)).toEqual([]);
  const refused = result.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map(({ text }) => text).join()).toMatch(/requests_in_flight: .*64/);
  expect(faults).toEqual([]);
}, 120_000);
