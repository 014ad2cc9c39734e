import { expect, it } from "@jest/globals";
import { upstreamSockets } from "./upstreams.ts";

it("open streams of mcp keep no other request to it waiting", () => {
  const settings = { UPSTREAM_SOCKETS: 100, MAX_CONNECTIONS: 8_000 };
  expect(upstreamSockets("mcp", settings)).toEqual({ pooled: 100, streaming: 8_000 });
  expect(upstreamSockets("mcp", { ...settings, MAX_CONNECTIONS: 10 }).streaming).toBe(100);
  expect(upstreamSockets("capture", settings)).toEqual({ pooled: 100, streaming: 100 });
});
