import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { pipeline } from "../../../stack/src/measurement/pipeline.ts";
import { environment } from "../../src/environment.ts";
import { long } from "../../src/long.ts";
import { createHeavyTenant, type HeavyTenant, slowSearch } from "../../src/neighbours/heavy-tenant.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";

const neighbours = useNeighbours();

/** Projects of the heavy tenant's organization besides its first. */
const further: HeavyTenant[] = [];
beforeAll(async () => {
  for (let made = 0; made < long(3, 7); made++) further.push(await createHeavyTenant());
}, 240_000);
afterAll(async () => {
  for (const each of further) await each.remove();
}, 240_000);

it("an organization that asks for its worst in many projects at once takes no more than with one", async () => {
  const projects = [neighbours.heavy, ...further];
  const { base_url } = environment();
  const search = { path: "/access/v1/search/resource", body: JSON.stringify(slowSearch), count: 60 };
  const { result, faults } = await neighbours.beside(() =>
    Promise.all(
      projects.map(({ key }) =>
        pipeline(base_url, { ...search, apiKey: key }, AbortSignal.timeout(long(8_000, 30_000))),
      ),
    ),
  );
  process.stdout.write(`answers to the projects: ${result.map((statuses) => statuses.length).join(", ")}\n`);
  // Refused is what they may be, and nothing else.
  expect(result.flat().filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(faults).toEqual([]);
}, 120_000);
