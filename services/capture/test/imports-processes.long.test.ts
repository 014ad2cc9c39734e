import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { type BaseSettings, graphSettings } from "@ikg/service";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { type CaptureProcess, startCaptureProcess } from "./capture-process.ts";
import { clearProject, importProject, type ImportProject } from "./import-project.ts";
import { keysOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { testSettings } from "./environment.ts";
import { knows, person } from "./import-lines.ts";
import { storeProject } from "./project-record.ts";
import { range } from "./range.ts";

let settings: BaseSettings;
let graph: Graph;
let stored: Awaited<ReturnType<typeof storeProject>>;
let project: ImportProject;
let address = "";
const running = new Set<CaptureProcess>();

const start = async (more: Readonly<Record<string, string>> = {}): Promise<CaptureProcess> => {
  const process = await startCaptureProcess({
    NEO4J_URI: settings.NEO4J_URI,
    NEO4J_USERNAME: settings.NEO4J_USERNAME,
    NEO4J_PASSWORD: settings.NEO4J_PASSWORD,
    // Keys of these processes alone: another suite on the same Redis has a queue of the same name.
    REDIS_URL: `${settings.REDIS_URL.replace(/\/\d+$/, "")}/9`,
    ...keysOfTests,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    IMPORT_TAKEOVER_SECONDS: "1",
    LOG_LEVEL: "warn",
    ...more,
  });
  running.add(process);
  return process;
};

const end = async (process: CaptureProcess, signal: NodeJS.Signals): Promise<void> => {
  running.delete(process);
  await process.end(signal);
};

beforeAll(async () => {
  settings = testSettings();
  graph = connectGraph(graphSettings(settings));
  await graph.prepare();
  stored = await storeProject(graph);
  project = importProject(stored, graph, () => address);
});
afterEach(async () => {
  for (const process of running) await end(process, "SIGKILL");
  await clearProject(graph, stored);
});
afterAll(async () => {
  await stored.remove();
  await graph.close();
});

const lines = (nodes: number, relationships: number): readonly unknown[] => [
  ...range(relationships).map((i) => knows(i % nodes, (i * 31 + 17) % nodes)),
  ...range(nodes).map((i) => person(i, ["n", i])),
  knows("nobody", 1),
];

const writtenOf = async (id: string): Promise<number> => {
  const { nodes, relationships } = await project.state(id);
  return nodes.written + relationships.written;
};

/** Waits until so many rows are written. */
const written = async (id: string, rows: number): Promise<void> => {
  await eventually(
    () => writtenOf(id),
    (count) => count >= rows,
    { withinMs: 60_000, everyMs: 10 },
  );
};

const whole = {
  status: "done",
  lines: 12_001,
  nodes: { total: 4_000, written: 4_000 },
  relationships: { total: 8_001, written: 8_000 },
  rejected: { count: 1 },
};

describe("an import whose process", () => {
  it("is killed goes on in another one; no row is lost or doubled", async () => {
    const first = await start();
    const second = await start();
    address = first.url;
    const id = await project.begin(lines(4_000, 8_000));
    await written(id, 1);
    // Whichever of the two is at it: both are killed, one after the other, and a third one ends it.
    await end(first, "SIGKILL");
    address = second.url;
    const before = await writtenOf(id);
    await written(id, Math.max(before + 1, 4_500));
    await end(second, "SIGKILL");
    address = (await start()).url;
    expect(await project.ended(id)).toMatchObject(whole);
    expect(await project.counts()).toEqual({ nodes: 4_000, relationships: 4_000 });
    expect(await project.staged()).toEqual([0, 1]);
  });

  it("ends as it should hands it over after the chunks under way", async () => {
    const first = await start();
    address = first.url;
    const id = await project.begin(lines(4_000, 8_000));
    await written(id, 1);
    const second = await start();
    await end(first, "SIGTERM");
    expect(first.output()).not.toContain('"level":"error"');
    address = second.url;
    expect(await project.ended(id)).toMatchObject(whole);
    expect(await project.counts()).toEqual({ nodes: 4_000, relationships: 4_000 });
  });

  it("cannot end its chunks ends in time all the same, and another one writes them", async () => {
    const { hostname, port } = new URL(settings.NEO4J_URI);
    const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
    try {
      const first = await start({
        NEO4J_URI: `bolt://127.0.0.1:${proxy.port}`,
        DRAIN_SECONDS: "1",
        CLOSE_SECONDS: "2",
      });
      address = first.url;
      const id = await project.begin(lines(4_000, 8_000));
      await written(id, 1);
      // What it has under way is neither answered nor refused.
      proxy.state = "silent";
      const began = performance.now();
      await end(first, "SIGTERM");
      // Three seconds and what a busy machine takes; the limit of a statement is a minute.
      expect(performance.now() - began).toBeLessThan(15_000);
      expect(first.output()).toContain("closing imports takes too long");
      address = (await start()).url;
      expect(await project.ended(id, 60_000)).toMatchObject(whole);
      expect(await project.counts()).toEqual({ nodes: 4_000, relationships: 4_000 });
      expect(await project.staged()).toEqual([0, 1]);
    } finally {
      await proxy.close();
    }
  }, 120_000);

  it("imports much holds little of it", async () => {
    const process = await start();
    address = process.url;
    const id = await project.begin(lines(15_000, 25_000));
    expect((await project.ended(id, 60_000)).status).toBe("done");
    expect(process.memory().peak).toBeLessThan(300);
  });
});
