import { expect, it } from "@jest/globals";
import { useIdleService } from "../../../../stack/src/testing/servers/idle-service.ts";
import { watchSessions } from "./session-metrics.ts";

const service = useIdleService("mcp");

it("tells how many sessions projects have", async () => {
  const counts = new Map([["gid:project:a", 12]]);
  await watchSessions({ counts: async () => counts }, service().metrics).close();
  const text = await service().metrics.registry.metrics();
  expect(text).toMatch(/^ikg_project_sessions\{project="gid:project:a",service="mcp"\} 12$/m);
});
