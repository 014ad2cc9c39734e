import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

/** The commands of docs/operations.md for npm start, on the suite of the tests. */
const documented = (): string => {
  const section = page.split("\n## Logs\n")[1]?.split("\n## ")[0] ?? "";
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const block = blocks.find((each) => each.includes("environment.json")) ?? "";
  return block.replace("'.ikg/environment.json'", "process.env.IKG_ENVIRONMENT");
};

it("the level of the log is set and shown by the commands of docs/operations.md", () => {
  const script = `set -eu\n${documented()}\ncurl -sS -X PUT -d http "$ACCESS/log-level"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8", timeout: 60_000 });
  expect({ stdout, stderr, status }).toEqual({ stdout: "debug\ndebug\nhttp\n", stderr: "", status: 0 });
});
