import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Killable, openKillable } from "../../../stack/src/testing/servers/killable.ts";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { findResources } from "../../src/requests/find-resources.ts";
import { must } from "../../src/requests/must.ts";
import type { Answer } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";

const rounds = long(1, 20);
const writers = 4;
const readers = 4;
const batch = 5;
/** Decisions end within 5 s, captures within 30 s; the gateway may add some. */
const decisionMs = 7_000;
const recoveryMs = 10_000;

let neo4j: Killable;
let tenant: Tenant;

beforeAll(async () => {
  neo4j = await openKillable();
  const { url, username, password } = neo4j;
  const db_connection = { url, username, password };
  tenant = await createTenant("killed", { db_connection });
  // A server that has just started may take longer for its first statements than an attempt may.
  const { projects } = openAdmin();
  const { projectId } = tenant;
  for (let tries = 1; (await projects.get(projectId)).ikg_status !== "ACTIVE"; tries++) {
    if (tries === 10) throw new Error("the database of the project does not become usable");
    await projects.update(projectId, () => ({ db_connection }));
  }
  await takeEffect();
  await capture(
    {
      nodes: [
        { type: "Person", external_id: "ann" },
        { type: "Door", external_id: "open" },
        { type: "Door", external_id: "shut" },
      ],
      relationships: [
        {
          source: { type: "Person", external_id: "ann" },
          target: { type: "Door", external_id: "open" },
          type: "OWNS",
        },
      ],
    },
    tenant,
  );
  await savePolicy(tenant.projectId, ownersMay("OPEN"));
  await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Person" },
      actions: ["SEE"],
      resource: { type: "Mark" },
      condition: { cypher: "MATCH (subject:Person), (resource:Mark)" },
    },
  });
}, 240_000);
afterAll(async () => {
  await tenant?.remove();
  await neo4j?.remove();
}, 300_000);

/** A batch and what its writer received. */
interface Written {
  readonly ids: readonly string[];
  readonly status: number;
}

const markOf = (id: string) => ({
  type: "Mark",
  external_id: id,
  properties: [{ type: "by", value: id }],
});
const write = (ids: readonly string[], by: Credentials): Promise<Answer> =>
  withKey("/capture/v1/nodes", by, { json: { nodes: ids.map(markOf) } });
const opening = (id: string) => ({
  subject: { type: "Person", id: "ann" },
  action: { name: "OPEN" },
  resource: { type: "Door", id },
});

/** What the callers have seen. */
interface Seen {
  readonly written: Written[];
  readonly wrong: string[];
  readonly statuses: Set<string>;
}

const keepWriting = async (
  name: string,
  { written, wrong, statuses }: Seen,
  over: AbortSignal,
): Promise<void> => {
  for (let n = 0; !over.aborted; n++) {
    const ids = Array.from({ length: batch }, (_, i) => `${name}-${n}-${i}`);
    // A connection that breaks leaves the writer without an answer, as a 500 does.
    const { status, headers } = await write(ids, tenant).catch(() => ({
      status: 500,
      headers: new Headers(),
    }));
    written.push({ ids, status });
    statuses.add(`capture ${status}`);
    if (![200, 500, 503].includes(status)) wrong.push(`capture ${status}`);
    if (status === 503 && headers.get("retry-after") === null) wrong.push("capture 503 without Retry-After");
    if (status !== 200) await wait(50);
  }
};

const keepAsking = async ({ wrong, statuses }: Seen, over: AbortSignal): Promise<void> => {
  for (let n = 0; !over.aborted; n++) {
    const door = n % 2 === 0 ? "open" : "shut";
    const begun = performance.now();
    const { status, headers, body } = await tryEvaluate(opening(door), tenant);
    const took = performance.now() - begun;
    statuses.add(`evaluation ${status}`);
    if (took > decisionMs) wrong.push(`evaluation took ${took} ms`);
    if (status === 503) {
      if (headers.get("retry-after") === null) wrong.push("evaluation 503 without Retry-After");
      await wait(50);
    } else if (status !== 200) wrong.push(`evaluation ${status}`);
    // The body of a 200 is a decision.
    else if ((body as { decision: boolean }).decision !== (door === "open"))
      wrong.push(`wrong decision on ${door}`);
  }
};

it(
  "loses nothing that was acknowledged and decides nothing wrong while its database is killed",
  async () => {
    const over = new AbortController();
    const seen: Seen = { written: [], wrong: [], statuses: new Set() };
    const { written, wrong, statuses } = seen;
    const load = [
      ...Array.from({ length: writers }, (_, i) => keepWriting(`w${i}`, seen, over.signal)),
      ...Array.from({ length: readers }, () => keepAsking(seen, over.signal)),
    ];
    const recoveries: number[] = [];
    try {
      for (let round = 0; round < rounds; round++) {
        await wait(500 + Math.random() * 1_500);
        await neo4j.kill();
        await wait(Math.random() * 2_000);
        await neo4j.start();
        const answered = performance.now();
        const askBoth = async (): Promise<readonly number[]> => {
          const [evaluation, captured] = await Promise.all([
            tryEvaluate(opening("open"), tenant),
            write([`back-${round}`], tenant),
          ]);
          return [evaluation.status, captured.status];
        };
        await eventually(askBoth, (both) => both.every((status) => status === 200), {
          withinMs: 2 * recoveryMs,
          everyMs: 100,
        });
        recoveries.push(performance.now() - answered);
      }
    } finally {
      over.abort();
    }
    await Promise.all(load);
    expect(wrong).toEqual([]);
    expect(Math.max(...recoveries)).toBeLessThan(recoveryMs);
    // Something happened at all.
    expect([...statuses]).toEqual(
      expect.arrayContaining(["capture 200", "evaluation 200", "evaluation 503"]),
    );

    const found = new Set(
      await findResources(
        { subject: { type: "Person", id: "ann" }, action: { name: "SEE" }, resource: { type: "Mark" } },
        tenant,
      ),
    );
    const lost = written.filter(({ ids, status }) => status === 200 && !ids.every((id) => found.has(id)));
    const torn = written.filter(({ ids }) => {
      const there = ids.filter((id) => found.has(id)).length;
      return there !== 0 && there !== ids.length;
    });
    const refused = written.filter(({ ids, status }) => status === 503 && ids.some((id) => found.has(id)));
    expect({ lost, torn, refused }).toEqual({ lost: [], torn: [], refused: [] });
    expect(await evaluate(opening("open"), tenant)).toEqual({ decision: true });
    must(await write(["last"], tenant), 200);
  },
  rounds * 60_000 + 60_000,
);
