import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { BaseSettings, readSettings, type Service, startService } from "@ikg/service";
import { watchSessions } from "./session-metrics.ts";

let service: Service;
beforeAll(async () => {
  service = await startService(
    "mcp",
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

it("tells how many sessions projects have", async () => {
  const counts = new Map([["gid:project:a", 12]]);
  await watchSessions({ counts: async () => counts }, service.metrics).close();
  const text = await service.metrics.registry.metrics();
  expect(text).toMatch(/^ikg_project_sessions\{project="gid:project:a",service="mcp"\} 12$/m);
});
