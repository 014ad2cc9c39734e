import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";

let shell: AirfieldShell;
const many = 2_500;

beforeAll(async () => {
  shell = await openAirfieldShell();
  const pilots = Array.from({ length: many }, (_, at) => ({
    type: "Pilot",
    external_id: `p-${String(at).padStart(5, "0")}`,
    properties: [{ type: "hours", value: 500 }],
  }));
  const ratings = pilots.map(({ type, external_id }) => ({
    source: { type, external_id },
    type: "RATED_FOR",
    target: { type: "Model", external_id: "dc3" },
  }));
  await shell.project.ikg.capture.nodes(pilots);
  await shell.project.ikg.capture.relationships(ratings);
}, 120_000);

afterAll(() => shell?.remove());

const may = "ikg may Pilot/amelia FLY Aircraft/N211 -p min_hours=100";

describe("a decision on the command line", () => {
  it("is a word and an exit code", async () => {
    expect(await shell.run(may)).toEqual({ code: 0, output: "granted\n", errors: "" });
    const denied = { code: 1, output: "denied\n", errors: "" };
    expect(await shell.run("ikg may Pilot/louis FLY Aircraft/N211 -p min_hours=100")).toEqual(denied);
  });

  it("is explained by the path that grants, and by the part that does not match", async () => {
    expect((await shell.run(`${may} --explain`)).output).toBe(
      [
        "Pilot/amelia FLY Aircraft/N211: granted",
        "└─ may-fly (version 1) grants",
        "   └─ Pilot/amelia ─RATED_FOR→ Model/dc3 ←IS─ Aircraft/N211",
        "",
      ].join("\n"),
    );
    const { code, output } = await shell.run(
      "ikg may Pilot/louis FLY Aircraft/N211 -p min_hours=100 --explain",
    );
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Pilot\/louis FLY Aircraft\/N211: denied\n└─ may-fly \(version 1\) its pattern does not/,
    );
    expect(output).toContain("subject.property.hours >= $min_hours");
  });

  it("needs what the policy needs", async () => {
    const { code, output, errors } = await shell.run("ikg may Pilot/amelia FLY Aircraft/N211");
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toMatch(/^error: .*'min_hours'.*\n$/);
  });
});

describe("long results", () => {
  const who = "ikg who Pilot FLY Aircraft/N211 -p min_hours=100 -o ndjson";

  it("have all pages", async () => {
    const { code, output } = await shell.run(who);
    expect([code, output.trimEnd().split("\n").length]).toEqual([0, many + 1]);
    const rows = await shell.run("ikg query rated-pilots -p model=dc3 -o csv");
    expect(rows.output.trimEnd().split("\r\n")).toHaveLength(many + 3);
    const limited = await shell.run(`${who} --limit 1500`);
    expect(limited.output.trimEnd().split("\n")).toHaveLength(1_500);
  });

  it("end quietly when their output is closed", async () => {
    for (const command of [who, "ikg query rated-pilots -p model=dc3 --page-size 100 -o json"]) {
      const { code, output, errors } = await shell.run(`${command} | head -n 1`);
      expect([code, errors, output.split("\n").length]).toEqual([0, "", 2]);
    }
  });
});

describe("what cannot be done", () => {
  const runs: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
    ["a wrong key", may, { IKG_CLIENT_KEY: "ak1_wrong" }, "The credential was rejected"],
    ["a wrong token", "ikg get policies", { IKG_TOKEN: "wrong" }, "The credential was rejected"],
    ["no permission", "ikg query rated-pilots", { IKG_CLIENT_KEY: "" }, "not permitted to do this"],
    ["no server", "ikg get policies --timeout 1", { IKG_URL: "http://127.0.0.1:9" }, "127.0.0.1:9"],
    ["an unknown project", "ikg get policies --project none-such", {}, "404"],
    ["an unknown record", "ikg get policies none-such", {}, "404"],
    ["a wrong record", "ikg create policies --set name=x --set status=ACTIVE", {}, "policy"],
    ["an unknown query", "ikg query none-such", {}, "404"],
  ];
  for (const [title, command, variables, message] of runs)
    it(`${title}: one line, and 2`, async () => {
      const key =
        title === "no permission"
          ? { IKG_CLIENT_KEY: (await shell.run("ikg keys create dispatch-agent 2>/dev/null")).output.trim() }
          : variables;
      const { code, output, errors } = await shell.run(command, key);
      expect([code, output]).toEqual([2, ""]);
      expect(errors).toMatch(/^error: .*\n$/);
      expect(errors).toContain(message);
    });
});

describe("a signed-in person", () => {
  it("asks by a token of a file, and of standard input", async () => {
    const token = await shell.project.signIn("amelia");
    writeFileSync(join(shell.folder, "token"), token);
    const rows = await shell.run("ikg query my-ratings --token token -o ndjson");
    expect([rows.code, rows.output]).toEqual([0, expect.stringContaining('"subject.external_id":"amelia"')]);
    const again = await shell.run("ikg query my-ratings --token - -o ndjson < token");
    expect(again.output).toBe(rows.output);
    const old = await shell.project.signIn("amelia", { auth_time: Math.floor(Date.now() / 1_000) - 3_600 });
    writeFileSync(join(shell.folder, "old"), old);
    const refused = await shell.run("ikg query my-ratings --token old");
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining("Please sign in again.")]);
  });
});
