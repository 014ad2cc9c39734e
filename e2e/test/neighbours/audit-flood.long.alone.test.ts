import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { long } from "../../src/long.ts";
import { documentId, personId } from "../../src/neighbours/light-tenant.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { redisMemory } from "../../src/neighbours/redis-memory.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { must } from "../../src/requests/must.ts";
import { type Answer, send } from "../../src/requests/send.ts";

const neighbours = useNeighbours();

/** Evaluations with parameters of 1.8 MB, and how many wait at once: a project has 4 MiB of bodies in a second beside others. */
const requests = long(60, 600);
const atOnce = 10;
/** Bytes by which Redis may grow meanwhile: records are at most 16 KiB, and those of one project are bounded. */
const mostGrowth = 48 * 2 ** 20;
/** Milliseconds until a record is in a signed batch, beside the flood. */
const storedWithinMs = 15_000;

const flood = async (): Promise<readonly Answer[]> => {
  const { heavy } = neighbours;
  // Long texts alone were cut; many shorter ones count as much.
  const text = "v".repeat(1_000);
  const input_params = Object.fromEntries(Array.from({ length: 1_800 }, (_, at) => [`p${at}`, text]));
  const json = {
    subject: { type: "Person", id: "heavy" },
    action: { name: "NOTHING" },
    resource: { type: "Item", id: "item-0001" },
    context: { input_params },
  };
  const answers: Answer[] = [];
  let left = requests;
  const caller = async (): Promise<void> => {
    while (left-- > 0) answers.push(await withKey("/access/v1/evaluation", heavy, { json }));
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return answers;
};

interface Logs {
  readonly items: readonly { readonly data: readonly { readonly request?: { readonly id: string } }[] }[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** The light tenant decides once. @returns milliseconds until the record is in a signed batch of its chain */
const recordDelay = async (id: string): Promise<number> => {
  const { light } = neighbours;
  const json = {
    subject: { type: "Person", id: personId(0) },
    action: { name: "READ" },
    resource: { type: "Document", id: documentId(0, 0) },
  };
  const headers = { "X-Request-ID": id };
  must(await withKey("/access/v1/evaluation", light, { json, headers }), 200);
  const began = performance.now();
  const token = { headers: { Authorization: `Bearer ${light.account.token}` } };
  let cursor = "";
  await eventually(
    async () => {
      const path = `/audit/v1/logs?project_id=${encodeURIComponent(light.projectId)}&cursor=${cursor}`;
      const page = must<Logs>(await send(path, token), 200);
      if (page.has_more) cursor = page.next_cursor;
      return page.items.flatMap(({ data }) => data.map(({ request }) => request?.id));
    },
    (ids) => ids.includes(id),
    { withinMs: 2 * storedWithinMs, everyMs: 250 },
  );
  return performance.now() - began;
};

it("a flood of large records neither fills Redis nor delays the light tenant's", async () => {
  const alone = await recordDelay("alone-1");
  const before = await redisMemory();
  let most = before ?? 0;
  const watch = setInterval(
    () => void redisMemory().then((bytes) => (most = Math.max(most, bytes ?? 0))),
    100,
  );
  const { result, faults } = await neighbours
    .beside(async () => {
      const flooding = flood();
      await pause(1_000);
      const delay = await recordDelay("beside-1");
      return { answers: await flooding, delay };
    })
    .finally(() => clearInterval(watch));
  const { answers, delay } = result;
  const growth = before === undefined ? "unknown" : `${((most - before) / 2 ** 20).toFixed(1)} MB`;
  process.stdout.write(
    `heavy tenant: ${JSON.stringify(statusesOf(answers))}; Redis grew by ${growth}; ` +
      `record of the light tenant after ${Math.round(delay)} ms, alone ${Math.round(alone)} ms\n`,
  );
  expect(faultyRefusals(answers)).toEqual([]);
  expect(delay).toBeLessThan(alone + storedWithinMs);
  expect(faults).toEqual([]);
  // Elsewhere than on this machine nothing but the delay is seen.
  if (before !== undefined) expect(most - before).toBeLessThan(mostGrowth);
}, 480_000);
