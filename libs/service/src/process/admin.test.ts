import { execFile } from "node:child_process";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { serveAdmin } from "./admin.ts";
import { openLog } from "../logs/log.ts";
import { openMetrics } from "../metrics/metrics.ts";

const log = openLog("access", "error");
let server: Server;
let url: string;

beforeAll(async () => {
  server = await serveAdmin(openMetrics("access", 1), log, 0, "127.0.0.1");
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

  it("is asked by the command of operators, which tells what was refused", async () => {
    const run = (...args: readonly string[]): Promise<{ code: number; text: string }> =>
      new Promise((resolve) => {
        const file = fileURLToPath(new URL("../logs/log-level.ts", import.meta.url));
        const env = { ...process.env, METRICS_PORT: new URL(url).port };
        execFile(process.execPath, [file, ...args], { env }, (error, text) =>
          resolve({ code: error === null ? 0 : 1, text }),
        );
      });
    expect(await run()).toEqual({ code: 0, text: "error\n" });
    expect(await run("warn")).toEqual({ code: 0, text: "warn\n" });
    expect(await levelNow()).toBe("warn\n");
    expect(await run("loud")).toEqual({ code: 1, text: expect.stringContaining("error, warn") });
    await put("error");
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

  it("names the setting of a port that is in use", async () => {
    const port = Number(new URL(url).port);
    await expect(serveAdmin(openMetrics("access", 1), log, port, "127.0.0.1")).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use; end what uses it or set METRICS_PORT`,
    );
  });

  it("has nothing else", async () => {
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/log-level`, { method: "POST", body: "debug" })).status).toBe(404);
  });
});
