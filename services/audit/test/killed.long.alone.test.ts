import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { namesOf, openTestBed, type TestBed, testVariables, verify } from "./audit-under-test.ts";

const kills = isLongRun() ? 50 : 3;
let bed: TestBed;
const alive = new Set<ServiceProcess>();

const start = async (): Promise<void> => {
  alive.add(await startServiceProcess("audit", { ...testVariables(), AUDIT_LEASE_MS: "500" }));
};

beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  for (const each of alive) await each.running.end("SIGKILL");
  await bed.close();
});

describe(`writers that are killed ${kills} times under load`, () => {
  it(
    "leave every record in the chain, once and in order",
    async () => {
      const project = bed.project();
      await Promise.all([start(), start()]);
      const all: string[] = [];
      const over = new AbortController();
      const emitting = (async () => {
        while (!over.signal.aborted) {
          const more = Array.from({ length: 40 }, (_, index) => String(all.length + index));
          all.push(...more);
          await bed.emit(project, more);
          await wait(20);
        }
      })();
      for (let killed = 0; killed < kills; killed++) {
        await wait(Math.random() * 600);
        const [victim] = alive;
        if (victim === undefined) throw new Error("no writer is alive");
        alive.delete(victim);
        await Promise.all([victim.running.end("SIGKILL"), start()]);
      }
      over.abort();
      await emitting;
      const [last] = [...alive];
      if (last === undefined) throw new Error("no writer is alive");
      const chain = await bed.chainWith(last.url, project, (names) => names.length >= all.length, 60_000);
      expect(namesOf(chain)).toEqual(all);
      expect((await verify(chain)).failed).toEqual([]);
      // More than one writer had the chain, or nothing was proved.
      const [row] = await bed.run("MATCH (c:_AuditChain {project_id: $project}) RETURN c.fence AS fence", {
        project,
      });
      expect(Number(row?.["fence"])).toBeGreaterThan(1);
    },
    60_000 + kills * 15_000,
  );
});
