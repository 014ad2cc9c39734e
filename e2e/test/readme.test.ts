import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { environment } from "../src/environment.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The blocks of the five minutes, as a reader pastes them. The suite of the tests is running already. */
const blocks = (): string => {
  const section = readme.split("## A first decision in five minutes")[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = ""]) => block)
    .join("\n")
    .replace(/^npm start.*$/m, "")
    .replace(/^export IKG_ENVIRONMENT=.*$/m, "")
    .replaceAll('"airfield"', `"airfield-${process.pid}"`);
};

const remove =
  'curl -sS -X DELETE "$BASE/configs/v1/projects/$PROJECT" -H "Authorization: Bearer $TOKEN"; echo';

describe("README, a first decision in five minutes", () => {
  it("works as written when pasted line by line", () => {
    expect(environment().base_url).toMatch(/^http/);
    const script = `set -u\n${blocks()}\n${remove}`;
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], {
      encoding: "utf8",
      timeout: 60_000,
      env: process.env,
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const lines = stdout.split("\n").filter((line) => line !== "");
    const answers = lines.filter((line) => !line.startsWith("gid:") && !line.includes('"id":"gid:'));
    expect(answers).toEqual([
      '{"decision":true}',
      '{"decision":false}',
      '{"results":[{"type":"Aircraft","id":"N211"}]}',
      '{"data":[{"nodes":{"pilot.external_id":"amelia","pilot.property.hours":1200}},{"nodes":{"pilot.external_id":"louis","pilot.property.hours":80}}]}',
    ]);
  }, 90_000);
});
