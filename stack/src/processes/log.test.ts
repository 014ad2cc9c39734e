import { describe, expect, it } from "@jest/globals";
import { lastErrorLine } from "./log.ts";
import { saysPortTaken } from "./ready.ts";

const thrown = `node:internal/modules/cjs/loader:1568
  throw err;
  ^

Error: Cannot find module '/srv/main.ts'
    at Module._load (node:internal/modules/cjs/loader:1341:5) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`;

describe("the last error line of a process", () => {
  it.each([
    [thrown, "Error: Cannot find module '/srv/main.ts'"],
    [
      '{"level":"info","msg":"listening"}\n{"level":"error","msg":"Redis is not reachable"}\n',
      "Redis is not reachable",
    ],
    ["Starting\nOut of memory\n\n", "Out of memory"],
    ["x".repeat(500), "x".repeat(300)],
    ["\n \n", undefined],
  ])("of %j", (log, line) => {
    expect(lastErrorLine(log)).toBe(line);
  });

  it.each([
    ["Error: listen EADDRINUSE: address already in use 127.0.0.1:8080", true],
    ["Could not create server TCP listening socket 127.0.0.1:6379: bind: Address already in use", true],
    ["java.net.BindException: Address already in use", true],
    ["Out of memory", false],
  ])("shows a taken port: %s", (output, taken) => {
    expect(saysPortTaken(output)).toBe(taken);
  });
});
