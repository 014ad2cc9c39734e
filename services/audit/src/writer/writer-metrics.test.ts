import { expect, it } from "@jest/globals";
import { useIdleService } from "../../../../stack/src/testing/servers/idle-service.ts";
import { writerMetrics } from "./writer-metrics.ts";

const service = useIdleService("audit");

it("tells what waits, of all chains and of each", async () => {
  const metrics = writerMetrics(service().metrics);
  const linesOf = async (): Promise<readonly string[]> =>
    (await service().metrics.registry.metrics())
      .split("\n")
      .filter((line) => /^ikg_(?:audit_(?:records|bytes)_waiting|project_audit)/.test(line));
  metrics.waiting(
    new Map([
      ["gid:project:a", { records: 2, bytes: 300 }],
      ["gid:project:b", { records: 1, bytes: 500 }],
    ]),
  );
  expect(await linesOf()).toEqual([
    'ikg_audit_records_waiting{service="audit"} 3',
    'ikg_audit_bytes_waiting{service="audit"} 800',
    'ikg_project_audit_waiting_bytes{project="gid:project:b",service="audit"} 500',
    'ikg_project_audit_waiting_bytes{project="gid:project:a",service="audit"} 300',
  ]);
  metrics.waiting(new Map());
  expect(await linesOf()).toEqual([
    'ikg_audit_records_waiting{service="audit"} 0',
    'ikg_audit_bytes_waiting{service="audit"} 0',
  ]);
});
