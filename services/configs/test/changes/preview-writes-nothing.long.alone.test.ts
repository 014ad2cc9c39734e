import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import {
  type BoltListener,
  openBoltListener,
  type SentStatement,
} from "../../../../stack/src/testing/servers/bolt-statements.ts";
import { requireVariable } from "../../../../stack/src/testing/test-environment.ts";
import { wholeDatabase } from "../../../../stack/src/testing/whole-database.ts";
import { type ConfigsUnderTest, startConfigs } from "../configs-under-test.ts";
import { ciqText, kbacText, queryText } from "../policy-texts.ts";
import type { Tenant } from "../tenant.ts";

let listener: BoltListener;
let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: string;
let policyId: string;

beforeAll(async () => {
  listener = await openBoltListener(requireVariable("NEO4J_URI"));
  // The plan of a slow statement would be asked for in a session that can write.
  configs = await startConfigs({ NEO4J_URI: `bolt://127.0.0.1:${listener.port}`, SLOW_STATEMENT_MS: "0" });
  tenant = await configs.tenant();
  project = (await tenant.project()).id;
  const policy = { project_id: project, name: "lending", status: "ACTIVE", policy: ciqText() };
  policyId = (await tenant.make("/authorization-policies", policy)).id;
}, 120_000);
afterAll(async () => {
  await configs?.close();
  await listener?.close();
});

const readAll = (text: string) => configs.graph.shared.read(text, {}, { timeoutMs: 60_000 });

/** Changes leave announcements that are deleted when they are published; one that goes meanwhile is seen without its label. */
const untilDelivered = async (): Promise<void> => {
  const countWaiting = async (): Promise<number> => {
    const [row] = await readAll("MATCH (n:_Outbox) RETURN count(n) AS waiting");
    return Number(row?.["waiting"]);
  };
  await eventually(countWaiting, (count) => count === 0, { withinMs: 10_000, everyMs: 50 });
};

/** The database without announcements that wait to be published. */
const everything = async (): Promise<readonly string[]> => {
  await untilDelivered();
  const all = await wholeDatabase(readAll);
  return all.filter((each) => !each.includes('"_Outbox"'));
};

const sample = { subject: { id: "ann" }, resource: { id: "beetle" }, token: { sub: "ann" } };

/** Validates a policy for decisions, one for queries and a query. @returns what was sent, but for announcements */
const validateAll = async (more: { readonly preview?: true }): Promise<readonly SentStatement[]> => {
  listener.take();
  for (const [path, body] of [
    ["authorization-policies", { policy: kbacText(), sample }],
    ["authorization-policies", { policy: ciqText() }],
    ["knowledge-queries", { policy_id: policyId, query: queryText(), sample: { token: { sub: "ann" } } }],
  ] as const) {
    const { status, text } = await tenant.send("POST", `/${path}/validate`, {
      ...{ project_id: project, name: "tried", status: "ACTIVE" },
      ...body,
      ...more,
    });
    expect([status, text.includes('"statements"')]).toEqual([200, more.preview === true]);
  }
  return listener.take().filter(({ text }) => !text.includes("_Outbox"));
};

it("a preview writes nothing: its own statements are in READ mode, and the whole database stays as it is", async () => {
  const before = await everything();
  // A validation locks the records that it names, which takes a transaction that could write.
  const validation = new Set((await validateAll({})).map(({ text }) => text));
  const preview = (await validateAll({ preview: true })).filter(({ text }) => !validation.has(text));
  expect(preview.filter(({ text }) => text.includes("PROFILE ")).length).toBeGreaterThan(0);
  expect(preview.filter(({ text }) => text.includes("EXPLAIN ")).length).toBeGreaterThan(0);
  expect(preview.filter(({ mode }) => mode !== "READ")).toEqual([]);
  expect(await everything()).toEqual(before);
});
