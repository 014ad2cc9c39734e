import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { serveInside } from "./inside.ts";
import { openLog } from "./log.ts";
import { openMetrics } from "./metrics.ts";

const log = openLog("access", "error");
let server: Server;
let url: string;

beforeAll(async () => {
  server = await serveInside(openMetrics("access"), log, 0, "127.0.0.1");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of TCP
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const put = (body: string): Promise<Response> => fetch(`${url}/log-level`, { method: "PUT", body });
const levelNow = async (): Promise<string> => (await fetch(`${url}/log-level`)).text();

describe("the port for operators", () => {
  it("shows the numbers", async () => {
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get("content-type")).toContain("version=0.0.4");
    expect(await answer.text()).toContain("ikg_build_info{");
  });

  it("shows the level of the log and changes it while the process runs", async () => {
    expect(await levelNow()).toBe("error\n");
    expect(log.isLevelEnabled("debug")).toBe(false);
    expect((await put("debug\n")).status).toBe(200);
    expect(await levelNow()).toBe("debug\n");
    expect(log.isLevelEnabled("debug")).toBe(true);
    await put("error");
    expect(log.isLevelEnabled("warn")).toBe(false);
  });

  it.each(["", "loud", "x".repeat(100_000)])("refuses another level", async (level) => {
    expect((await put(level)).status).toBe(400);
    expect(log.level).toBe("error");
  });

  it("has nothing else", async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/log-level`, { method: "POST", body: "debug" })).status).toBe(404);
  });
});
