import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { BaseSettings, readSettings, type Service, startService } from "@ikg/service";
import { countRows, watchStoredBytes } from "./usage-metrics.ts";

let service: Service;
beforeAll(async () => {
  service = await startService(
    "capture",
    readSettings(BaseSettings, {
      PORT: "0",
      LOG_LEVEL: "error",
      NEO4J_URI: "bolt://127.0.0.1:1",
      NEO4J_PASSWORD: "p",
      REDIS_URL: "redis://127.0.0.1:1",
      INTERNAL_CONTEXT_KEY: randomBytes(32).toString("base64"),
    }),
  );
});
afterAll(() => service.close());

it("tells what imports of each project write and keep", async () => {
  const count = countRows(service.metrics);
  const project = newGid("project");
  count(project, 7);
  count(project, 3);
  const stored = new Map([["gid:project:b", 4_000]]);
  await watchStoredBytes({ storedBytesOfProjects: async () => stored }, service.metrics).close();
  const text = await service.metrics.registry.metrics();
  expect(text).toContain(`ikg_project_import_rows_total{project="${project}",service="capture"} 10\n`);
  expect(text).toMatch(
    /^ikg_project_import_stored_bytes\{project="gid:project:b",service="capture"\} 4000$/m,
  );
});
