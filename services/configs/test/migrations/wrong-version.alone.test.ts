import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph, SchemaMismatch } from "@ikg/graph";
import { graphSettings } from "@ikg/service";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { environmentOfProcess, environmentOfTest, settingsOfTest } from "../environment.ts";

let graph: Graph;
const options = { timeoutMs: 30_000 };
const setVersion = (version: number, readableFrom: number) =>
  graph.shared.write(
    (tx) =>
      tx.run(
        "MATCH (c:_Claim {key: 'database'}) SET c.schema_version = $version, c.schema_readable_from = $readableFrom",
        { version, readableFrom },
      ),
    options,
  );

beforeAll(async () => {
  graph = connectGraph(graphSettings(settingsOfTest()));
  await graph.prepare();
}, 60_000);
afterAll(async () => {
  await setVersion(1, 0);
  await graph.close();
});

const upstreams = Object.fromEntries(
  ["CONFIGS", "CAPTURE", "ACCESS", "CIQ", "MCP", "AUDIT"].map((name) => [
    `UPSTREAM_${name}`,
    "http://127.0.0.1:9",
  ]),
);

/** Signing keys of the gateway and mcp: no service is called, so that any will do. */
const signingKey = generateKeyPairSync("ed25519")
  .privateKey.export({ format: "der", type: "pkcs8" })
  .toString("base64");
const keys = { GATEWAY_SIGNING_KEY: signingKey, MCP_SIGNING_KEY: signingKey };

/** Runs a program of a service until it ends by itself. @returns its exit code and what it wrote of errors, in lines */
const run = async (
  file: string,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../..", file)], {
    env: {
      ...environmentOfProcess(),
      ...environmentOfTest(),
      ...keys,
      ...upstreams,
      START_TIMEOUT_SECONDS: "80",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill("SIGKILL"), 100_000);
  await once(child, "close");
  clearTimeout(late);
  return { code: child.exitCode, lines: output.split("\n").filter((line) => line !== "") };
};

/**
 * The long run alone starts all of them, since each start takes a processor's time. The gateway reads credentials, configs changes
 * the schema, and capture, which opens its graph as most others do, by `@ikg/stores`, starts its import workers before it listens.
 */
const services = [
  "gateway",
  "configs",
  "capture",
  ...(isLongRun() ? ["access", "audit", "ciq", "mcp", "trust-scorer"] : []),
];
const commands = ["bootstrap", ...(isLongRun() ? ["reseal"] : [])];
const tooNew =
  "the data has schema version 7, which requires a release that supports version 6 or later; this release supports schema versions 0 to 1: run the release that upgraded the data or a later one, see docs/upgrading.md";

describe("data that this build does not understand", () => {
  it("services refuse to start with one line, and so do commands that write records", async () => {
    await setVersion(7, 6);
    const starts = services.map(async (name) => {
      const { code, lines } = await run(`${name}/src/main.ts`);
      return [name, code, ...lines.map((line) => (JSON.parse(line) as { msg: string }).msg)];
    });
    const runs = commands.map(async (name) => {
      const { code, lines } = await run(`configs/src/${name}.ts`);
      return [name, code, ...lines];
    });
    expect(await Promise.all(starts)).toEqual(services.map((name) => [name, 1, tooNew]));
    expect(await Promise.all(runs)).toEqual(commands.map((name) => [name, 1, `${name}: ${tooNew}`]));
  }, 120_000);

  it("data of a later release that this build can read is worked on", async () => {
    await setVersion(2, 1);
    expect(await graph.ready()).toBe(true);
    await graph.prepare();
  });

  it("a process that runs is not ready from then on", async () => {
    await setVersion(7, 6);
    expect(await graph.ready()).toBe(false);
    await expect(graph.prepare()).rejects.toBeInstanceOf(SchemaMismatch);
    await setVersion(1, 0);
    expect(await graph.ready()).toBe(true);
  });

  it("a database without data is of the newest version at once, records without a claim of none", async () => {
    const claim = "MATCH (c:_Claim {key: 'database'})";
    const [former] = await graph.shared.write(
      (tx) => tx.run(`${claim} WITH c, properties(c) AS former DELETE c RETURN former`, {}),
      options,
    );
    try {
      await graph.prepare();
      const [row] = await graph.shared.read(
        `${claim} RETURN c.schema_version AS version, EXISTS { (:_Record) } AS isOld`,
        {},
        options,
      );
      expect(row?.["version"]).toBe(row?.["isOld"] === true ? null : 1);
    } finally {
      await graph.shared.write(
        (tx) => tx.run(`${claim} SET c = $former`, { former: former?.["former"] }),
        options,
      );
    }
  });
});
