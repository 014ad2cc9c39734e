import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject } from "./ciq-under-test.ts";
import {
  useGarage,
  key,
  cars,
  graph,
  upstream,
  ciq,
  project,
  vans,
  gid,
  queryName,
  ask,
  executeWhenKnown,
  car,
} from "./garage.ts";

useGarage();

/** Another process, whose application is let into the project as well. */
const another = async (variables: Readonly<Record<string, string>>): Promise<CiqProcess> => {
  const process = await startCiqProcess({ CONFIG_ENCRYPTION_KEY: key.toString("base64"), ...variables });
  const own = `_Application/${process.application}`;
  await openProject(graph, { nodes: { [own]: {} }, edges: [[own, "RUNS", "Garage/g1"]] }, project.pk);
  return process;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  return port;
};

describe("a page of many rows", () => {
  const page = async (path: string, more: Json): Promise<Answer> => {
    const name = queryName();
    await project.query(name, vans, { nodes: [`van.property.${path}`] });
    return await executeWhenKnown(name, {}, more, ciq);
  };

  it("makes equal calls once", async () => {
    const { body } = await page("same", {});
    expect(body["data"]).toHaveLength(100);
    expect(body["errors"]).toBeUndefined();
    expect(upstream.seen).toHaveLength(1);
  });

  it("calls for the rows of the page alone", async () => {
    const { body } = await page("own", { page_size: 3, page_token: 6 });
    expect(body).toEqual({
      data: ["v006", "v007", "v008"].map((id) => ({ nodes: { "van.property.own": `/own/${id}` } })),
    });
    expect(upstream.seen.map(({ url }) => url).toSorted()).toEqual(["/own/v006", "/own/v007", "/own/v008"]);
  });

  it("makes a hundred different calls, eight at a time", async () => {
    const { status, body } = await page("wait", { page_size: cars });
    expect([status, upstream.seen.length, upstream.busiest]).toEqual([200, 100, 8]);
    expect(body["errors"]).toEqual(
      Array.from({ length: cars - 100 }, (_, index) => {
        return { row: 100 + index, path: "van.property.wait", resolver: "wait", reason: "limit_exceeded" };
      }),
    );
  });

  it("stops calling when the caller leaves", async () => {
    upstream.waitMs = 800;
    try {
      const leaving = new AbortController();
      const name = queryName();
      await project.query(name, vans, { nodes: ["van.property.wait"] });
      // Known to the process from now on; nothing matches it.
      await executeWhenKnown(name, {}, { page_token: 1_000_000 }, ciq);
      const call = ciq.execute(project, { id: name, page_size: 40 }, { signal: leaving.signal });
      await eventually(
        () => upstream.seen.length,
        (count) => count >= 8,
        { withinMs: 60_000, everyMs: 10 },
      );
      leaving.abort();
      await expect(call).rejects.toThrow();
      await pause(1_500);
      expect([upstream.seen.length, upstream.left]).toEqual([8, 8]);
    } finally {
      upstream.waitMs = 50;
    }
  });
});

describe("an execution with slow resolvers", () => {
  it("spends fifteen seconds on them and answers with what is there", async () => {
    const patient = await another({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
    upstream.waitMs = 3_500;
    try {
      const name = queryName();
      await project.query(name, vans, { nodes: ["van.property.wait"] });
      await executeWhenKnown(name, {}, { page_token: 1_000_000 }, patient);
      const began = performance.now();
      const { status, body } = await executeWhenKnown(name, {}, { page_size: cars }, patient);
      const seconds = (performance.now() - began) / 1000;
      expect([status, seconds > 14, seconds < 20]).toEqual([200, true, true]);
      const reasons = (body["errors"] as readonly Json[]).map(({ reason }) => reason);
      expect(reasons.filter((reason) => reason === "limit_exceeded")).toHaveLength(cars - 100);
      // Three or four times eight came back, as busy as the machine was; what had not begun by then never did.
      const late = reasons.filter((reason) => reason === "upstream_timeout").length;
      expect([late >= 100 - 4 * 8, late <= 100 - 2 * 8]).toEqual([true, true]);
      expect(upstream.seen.length).toBeLessThanOrEqual(100 - late + 8);
      const shown = (body["data"] as readonly { nodes: Json }[]).filter(
        ({ nodes: values }) => values["van.property.wait"] !== null,
      );
      expect(shown).toHaveLength(100 - late);
    } finally {
      upstream.waitMs = 50;
      await patient.end();
    }
  });
});

describe("addresses that are not opened", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["inside addresses by default", {}],
    ["http when it is switched off", { EGRESS_ALLOW_HTTP: "false", EGRESS_ALLOW_CIDRS: "127.0.0.0/8" }],
  ])("are never called: %s", async (_name, variables) => {
    const port = await freePort();
    const closed = await another({ ...variables, METRICS_PORT: String(port) });
    try {
      const { status, body } = await ask(
        { nodes: ["car.property.price"], filter: car("car1") },
        {},
        {},
        closed,
      );
      expect([status, body]).toEqual([
        200,
        {
          data: [{ nodes: { "car.property.price": null } }],
          errors: [{ row: 0, path: "car.property.price", resolver: "price", reason: "blocked_address" }],
        },
      ]);
      expect(upstream.seen).toEqual([]);
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(
        /^ikg_resolver_call_duration_seconds_count\{service="ciq",outcome="blocked_address"\} 1$/m,
      );
      expect(metrics).toMatch(/^ikg_resolver_circuits\{state="open",service="ciq"\} 0$/m);
      expect(metrics).not.toContain(gid);
    } finally {
      await closed.end();
    }
  });
});
