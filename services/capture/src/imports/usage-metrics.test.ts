import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { useIdleService } from "../../../../stack/src/testing/servers/idle-service.ts";
import { countRows, watchStoredBytes } from "./usage-metrics.ts";

const service = useIdleService("capture");

it("tells what imports of each project write and keep", async () => {
  const count = countRows(service().metrics);
  const project = newGid("project");
  count(project, 7);
  count(project, 3);
  const stored = new Map([["gid:project:b", 4_000]]);
  await watchStoredBytes({ storedBytesOfProjects: async () => stored }, service().metrics).close();
  const text = await service().metrics.registry.metrics();
  expect(text).toContain(`ikg_project_import_rows_total{project="${project}",service="capture"} 10\n`);
  expect(text).toMatch(
    /^ikg_project_import_stored_bytes\{project="gid:project:b",service="capture"\} 4000$/m,
  );
});
