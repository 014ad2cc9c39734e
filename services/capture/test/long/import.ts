/**
 * Imports nodes and relationships through one capture process, then writes the same rows by hand from four connections
 * of the raw driver, and prints both. By default one million nodes and two million relationships.
 *
 * node services/capture/test/long/import.ts [nodes] [relationships]
 * with NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, REDIS_URL; `--without-baseline` leaves the raw driver out.
 */
import { randomBytes } from "node:crypto";
import { keysOfTests } from "../../../../stack/src/testing/internal-contexts.ts";
import { connectGraph } from "@ikg/graph";
import { graphSettings } from "@ikg/service";
import { startCaptureProcess } from "../capture-process.ts";
import { clearProject, importProject } from "../import-project.ts";
import { testSettings } from "../environment.ts";
import { storeProject } from "../project-record.ts";
import { measureRawDriver } from "./raw-driver.ts";
import { nodeOf, relationshipOf } from "./rows.ts";

const [nodes = 1_000_000, relationships = 2_000_000] = process.argv.slice(2).flatMap((argument) => {
  const number = Number(argument);
  return Number.isNaN(number) ? [] : [number];
});

const linesAtOnce = 500;

/** The lines as a stream; relationships come mixed with nodes. */
const upload = (): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let node = 0;
  let relationship = 0;
  return new ReadableStream({
    pull: (controller) => {
      let text = "";
      for (let i = 0; i < linesAtOnce; i++) {
        if (relationship * nodes <= node * relationships && relationship < relationships)
          text += `${JSON.stringify({ relationship: relationshipOf(relationship++, nodes) })}\n`;
        else if (node < nodes) text += `${JSON.stringify({ node: nodeOf(node++) })}\n`;
      }
      if (text === "") controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
};

const print = (what: string, value: unknown): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(value)}\n`);

const report = (what: string, seconds: number, rows: number): void =>
  print(what, { seconds: Math.round(seconds), rows_per_second: Math.round(rows / seconds) });

const settings = testSettings();
const graph = connectGraph(graphSettings(settings));
await graph.prepare();
const project = await storeProject(graph);
const rows = nodes + relationships;
const secret = (): string => randomBytes(32).toString("base64");
const capture = await startCaptureProcess({
  NEO4J_URI: settings.NEO4J_URI,
  NEO4J_USERNAME: settings.NEO4J_USERNAME,
  NEO4J_PASSWORD: settings.NEO4J_PASSWORD,
  REDIS_URL: settings.REDIS_URL,
  ...keysOfTests,
  CONFIG_ENCRYPTION_KEY: secret(),
  LOG_LEVEL: "warn",
});
try {
  const caller = importProject(project, graph, () => capture.url);
  const begun = performance.now();
  const { status, body } = await caller.upload(upload());
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  const staged = performance.now();
  report("staged", (staged - begun) / 1000, rows);
  print("memory after staging, MiB", capture.memory());
  const ended = await caller.ended(body.id, 3_600_000, 2_000);
  const done = performance.now();
  report("written", (done - staged) / 1000, rows);
  report("both", (done - begun) / 1000, rows);
  print("memory, MiB", capture.memory());
  print("import", ended);
  print("graph", { ...(await caller.counts()), staged: await caller.staged() });
  print("log of the process", capture.output());
} finally {
  await capture.end("SIGTERM");
  await clearProject(graph, project);
  await project.remove();
}
if (!process.argv.includes("--without-baseline")) {
  const { seconds, clear } = await measureRawDriver(settings, graph, nodes, relationships);
  report("raw driver, nodes", seconds.nodes, nodes);
  report("raw driver, relationships", seconds.relationships, relationships);
  report("raw driver, both", seconds.nodes + seconds.relationships, rows);
  await clear();
}
await graph.close();
