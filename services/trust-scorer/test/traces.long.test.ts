import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from "../../../stack/src/testing/servers/trace-receiver.ts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { people } from "./people.ts";
import { openTestBed, type TestBed, testSettings } from "./scorer-under-test.ts";

let receiver: TraceReceiver;
let bed: TestBed;
let process: ServiceProcess;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  bed = await openTestBed();
  const { NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD, REDIS_URL } = testSettings();
  process = await startServiceProcess("trust-scorer", {
    NEO4J_URI,
    NEO4J_USERNAME,
    NEO4J_PASSWORD,
    // Keys of this process alone: another suite on the same Redis has queues of the same names.
    REDIS_URL: `${REDIS_URL.replace(/\/\d+$/, "")}/11`,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    TRUST_HOUSEKEEPING_SECONDS: "1",
    TRUST_RANGE_SIZE: "1000",
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  });
}, 120_000);
afterAll(async () => {
  await process?.running.end();
  await bed?.close();
  await receiver?.close();
});

/** Slots with the ranges that they ordered and the statements of these, as far as they have come. */
const wholeRuns = () => {
  const below = ({ spanId, traceId }: ReceivedSpan, name: string): readonly ReceivedSpan[] =>
    receiver.spans.filter(
      (span) => span.name === name && span.parentSpanId === spanId && span.traceId === traceId,
    );
  return receiver.spans
    .filter(({ name }) => name === "trust slot")
    .map((slot) => ({ slot, ranges: below(slot, "trust range") }))
    .filter(
      ({ slot, ranges }) =>
        below(slot, "statement").length > 0 &&
        ranges.length >= 2 &&
        ranges.every((range) => below(range, "statement").length > 0),
    );
};

it("a scheduled run is a trace of its own, from its slot over the queue to the statements of its ranges", async () => {
  const project = await bed.project(undefined, true);
  await project.nodes("Person", people(2_500));
  const profile = await project.profile({ schedule: "THREE_HOURS" });
  await project.scored(profile);
  const { runs } = await eventually(
    () => ({ runs: wholeRuns(), spans: receiver.spans.map(({ name }) => name) }),
    (found) => found.runs.length > 0,
    { withinMs: 60_000, everyMs: 200 },
  );
  const [run] = runs;
  // No request ordered it.
  expect(run?.slot.parentSpanId).toBe("");
  expect(run?.slot.service).toBe("trust-scorer");
  // Neither nodes nor their values.
  const text = receiver.bodies.join("\n");
  for (const id of Object.keys(people(3))) expect(text).not.toContain(`"${id}"`);
}, 120_000);
