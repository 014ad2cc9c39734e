import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AuditRecord, type Emission, fitRecord, recordSchemas, streamKey } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import { newUuid } from "@ikg/contracts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { openCountedEmission, openTestBed, type TestBed, testVariables } from "./audit-under-test.ts";

const floods = 600;
const projectBytes = 2_000_000;
/** What Redis takes for a byte that is counted, at most. */
const overhead = 1.33;

let bed: TestBed;
let service: ServiceProcess;

beforeAll(async () => {
  bed = await openTestBed();
  service = await startServiceProcess("audit", {
    ...testVariables(),
    LIMIT_AUDIT_WAITING_BYTES: String(projectBytes),
  });
});
afterAll(async () => {
  await service.running.end("SIGTERM");
  await bed.close();
});

/** 1.8 MB of texts, none of which is long. */
const input_params = {
  list: Array.from({ length: 9_000 }, (_, n) => `${n}:`.padEnd(197, "x")),
};

const evaluation = (project: string): AuditRecord =>
  recordSchemas["audit.authorization.evaluation"].parse({
    id: newUuid(),
    time: new Date().toISOString(),
    type: "audit.authorization.evaluation",
    project_id: project,
    actor: { type: "system", id: "test" },
    outcome: "success",
    data: { input_params, decision: true },
  });

type Emit = Emission["emit"];

/** Emits decisions that are cut to their limit, and then entries of 16 KiB faster than they can be stored. */
const flood = async (emit: Emit, heavy: string): Promise<void> => {
  for (let sent = 0; sent < floods; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const record = await fitRecord(evaluation(heavy), { inputParams: "values", values: "names" });
        await emit(record, bed.organization);
      }),
    );
    await wait(1);
  }
  await bed.drained(heavy);
  const text = "x".repeat(1_000);
  const large = {
    ...evaluation(heavy),
    data: { input_params: Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}`, text])) },
  } as AuditRecord; // the data of its type
  for (let turn = 0; turn < 20; turn++) {
    await Promise.all(Array.from({ length: 300 }, () => emit({ ...large, id: newUuid() }, bed.organization)));
    await wait(1);
  }
};

describe(`${floods} records of decisions with 1.8 MB of input parameters`, () => {
  it("cost Redis and the writer little, and delay no record of another project", async () => {
    const [heavy, light] = [bed.project(), bed.project()];
    const { emit, lost } = openCountedEmission(bed.redis);
    const before = service.running.residentMb();
    let resident = before;
    const over = new AbortController();
    let memory = 0;
    const delays: number[] = [];
    const watching = (async () => {
      while (!over.signal.aborted) {
        resident = Math.max(resident, service.running.residentMb());
        memory = Math.max(memory, Number(await bed.redis.memory("USAGE", streamKey(heavy))));
        await wait(20);
      }
    })();
    const emitting = (async () => {
      while (!over.signal.aborted) {
        const began = performance.now();
        await emit(newRecord(light, "light"), bed.organization);
        await bed.drained(light);
        delays.push(performance.now() - began);
      }
    })();
    await flood(emit, heavy);
    over.abort();
    await Promise.all([watching, emitting]);
    const grown = resident - before;
    delays.sort((a, b) => a - b);
    process.stdout.write(
      `stream ${Math.round(memory / 1024)} KiB, writer +${Math.round(grown)} MiB, ${lost()} lost, ${delays.length} light records: ` +
        `median ${Math.round(delays[delays.length >> 1] ?? 0)} ms, slowest ${Math.round(delays.at(-1) ?? 0)} ms\n`,
    );
    expect(memory).toBeLessThan(projectBytes * overhead);
    expect(grown).toBeLessThan(250);
    expect(lost()).toBeGreaterThan(0);
    expect(delays.length).toBeGreaterThan(5);
    expect(delays[delays.length >> 1]).toBeLessThan(1_000);
    await bed.drained(heavy);
    const [row] = await bed.run(
      "MATCH (b:_AuditBatch) WHERE b.key STARTS WITH $project RETURN count(b) AS n",
      { project: heavy },
    );
    expect(Number(row?.["n"])).toBeGreaterThan(0);
  }, 180_000);
});
