import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { environment } from "../src/environment.ts";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

/** The second continues from the first. */
const sections = ["A first decision", "A person, an application, and a login that is too old"];

const folder = dirname(process.env["IKG_ENVIRONMENT"] ?? "");

/** The blocks of both, as a reader pastes them. The suite of the tests is running already. */
const blocks = (): string => {
  const text = sections.map((title) => readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "").join("\n");
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block = ""]) => block)
    .join("\n")
    .replace("airfield.mjs set-up", `airfield.mjs set-up --name airfield-${process.pid}`)
    .replace(". .ikg/", `. ${folder}/`);
};

const remove = "node examples/airfield/airfield.mjs remove";

describe("README, both walk-throughs", () => {
  it("work as written when pasted line by line", () => {
    expect(environment().base_url).toMatch(/^http/);
    const script = `set -u\n${blocks()}\n${remove}`;
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], {
      encoding: "utf8",
      timeout: 150_000,
      cwd: fileURLToPath(root),
      env: process.env,
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout.replaceAll("}{", "}\n{").split("\n").filter(Boolean)).toEqual([
      '{"decision":true}',
      '{"decision":false}',
      '{"results":[{"type":"Aircraft","id":"N211"}]}',
      '{"data":[{"nodes":{"pilot.external_id":"amelia","pilot.property.hours":1200}},{"nodes":{"pilot.external_id":"louis","pilot.property.hours":80}}]}',
      '{"data":[{"nodes":{"subject.external_id":"amelia","subject.property.hours":1200,"model.external_id":"dc3"}}]}',
      '{"message":"Please sign in again."}401 Bearer error="insufficient_user_authentication", error_description="Please sign in again.", max_age="300"',
      '{"data":[{"nodes":{"agreement.external_id":"A-17","agreement.property.hours":20,"pilot.external_id":"amelia"}}]}',
      '{"data":[]}',
    ]);
  }, 180_000);
});
