import { afterAll, expect, it } from "@jest/globals";
import {
  describeRecovery,
  exhaustDatabase,
  hasRecovered,
} from "../../../stack/src/testing/suites/memory-recovery.ts";
import { type EmbeddedSuite, startEmbeddedSuite } from "../../src/suites/embedded-suite.ts";

const stoppedWithinMs = 10_000;

let suite: EmbeddedSuite | undefined;
let stopped = false;

afterAll(async () => {
  if (!stopped) await suite?.stop();
  suite?.remove();
}, 180_000);

it("a database that has run out of memory is back within 30 s with every acknowledged write, and stops within 10 s", async () => {
  suite = await startEmbeddedSuite();
  const outage = await exhaustDatabase(suite.environment);
  process.stdout.write(`${describeRecovery(outage)}\n`);
  expect(outage).toMatchObject({ wrong: 0, lost: [] });
  expect(hasRecovered(outage)).toBe(true);
  const took = await suite.stop();
  stopped = true;
  process.stdout.write(`stopped after ${Math.round(took)} ms\n`);
  expect(took).toBeLessThan(stoppedWithinMs);
}, 600_000);
