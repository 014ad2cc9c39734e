import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { identify, isAlive, parseStat, self, starter } from "./identity.mjs";

describe("identity of a process", () => {
  it("reads the state and the start after the last parenthesis of the name", () => {
    const rest = Array.from({ length: 18 }, (_, i) => i).join(" ");
    expect(parseStat(`4711 (odd) name (x)) S ${rest} 123456 99`)).toEqual({
      name: "odd) name (x)",
      state: "S",
      parent: 0,
      ticks: "123456",
    });
    expect(parseStat("")).toBeUndefined();
  });

  it("knows itself, and no process by an id that is not in use", () => {
    expect(isAlive(self())).toBe(true);
    expect(identify(2 ** 30)).toBeUndefined();
  });

  it("knows who started it", () => {
    expect(starter()).toEqual(identify(starter()?.pid ?? 0));
  });

  it("takes a recycled id for another process", () => {
    expect(isAlive({ pid: process.pid, started: "another boot:1" })).toBe(false);
  });

  it("takes a process that has ended for dead", async () => {
    const child = spawn("sleep", ["30"]);
    const identity = identify(child.pid ?? 0);
    expect(identity).toBeDefined();
    if (!identity) return;
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(identity)).toBe(false);
  });
});
