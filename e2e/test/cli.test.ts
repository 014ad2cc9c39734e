import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AirfieldShell, openAirfieldShell } from "../src/fixtures/airfield-shell.ts";

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

  it("end quietly when nobody reads on", async () => {
    for (const command of [who, "ikg query rated-pilots -p model=dc3 --page-size 100 -o json"]) {
      const { code, output, errors } = await shell.run(`${command} | head -n 1`);
      expect([code, errors, output.split("\n").length]).toEqual([0, "", 2]);
    }
  });
});

describe("what cannot be done", () => {
  const runs: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
    ["a wrong key", may, { IKG_CLIENT_KEY: "ak1_wrong" }, "The credential is not accepted"],
    ["a wrong token", "ikg get policies", { IKG_TOKEN: "wrong" }, "The credential is not accepted"],
    ["no permission", "ikg query rated-pilots", { IKG_CLIENT_KEY: "" }, "has no permission for this"],
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

describe("changes on the command line", () => {
  it("are listed, compared, rolled back and reverted", async () => {
    await shell.run("ikg update policies may-fly --set 'tags=[\"safety\"]'");
    const diff = await shell.run("ikg diff may-fly@1 may-fly");
    expect([diff.code, diff.output]).toEqual([1, expect.stringContaining("+tags:\n+  - safety")]);
    expect((await shell.run("ikg diff may-fly may-fly")).code).toBe(0);
    const history = await shell.run("ikg history may-fly -o json");
    const [last] = JSON.parse(history.output) as { id: string; changes: { to_version: number }[] }[];
    expect(last?.changes[0]?.to_version).toBe(2);
    expect((await shell.run(`ikg revert ${last?.id}`)).errors).toContain("Say so by --yes.");
    expect((await shell.run(`ikg revert ${last?.id} --yes`)).output).toContain("may-fly 2→3.");
    expect((await shell.run("ikg rollback may-fly 2 --yes")).code).toBe(0);
    expect((await shell.run("ikg diff may-fly@2 may-fly@4")).code).toBe(0);
    expect((await shell.run("ikg rollback may-fly 1 --yes")).code).toBe(0);
  });

  it("are simulated before, and fail a check", async () => {
    const path = "examples/airfield/changes/hours-of-the-request.json";
    expect((await shell.run(`ikg simulate ${path}`)).code).toBe(0);
    const fifty = "ikg simulate examples/airfield/changes/fifty-hours.json";
    const { output } = await shell.run(fifty);
    expect(output).toContain("+ Pilot/louis FLY Aircraft/N211 (may-fly)");
    const failed = await shell.run(`${fifty} --fail-on 'lost,gained>0' -o json`);
    expect([failed.code, failed.errors]).toEqual([1, "--fail-on: 1 gained, more than 0\n"]);
    expect(JSON.parse(failed.output)).toMatchObject({
      complete: true,
      questions: [{ gained: { count: 1 } }],
    });
  });
});

describe("a key", () => {
  it("is kept in a context without being shown, and is gone once it is revoked", async () => {
    await shell.run("ikg context add airfield");
    const noKey = { IKG_CLIENT_KEY: undefined };
    const saved = await shell.run("ikg keys create dispatch-agent --save", noKey);
    expect(saved).toEqual({ code: 0, output: "The key is kept in the context airfield.\n", errors: "" });
    expect((await shell.run(may, noKey)).output).toBe("granted\n");
    const { output } = await shell.run("ikg keys list dispatch-agent -o json");
    expect(output).not.toContain("ak1_");
    const id = (JSON.parse(output) as { id: string }[]).at(-1)?.id;
    expect((await shell.run(`ikg keys revoke ${id} --yes`)).code).toBe(0);
    await new Promise((resolve) => void setTimeout(resolve, 2_000));
    expect((await shell.run(may, noKey)).code).toBe(2);
  }, 30_000);
});

describe("an import on the command line", () => {
  it("writes lines of several files, and says which ones were rejected", async () => {
    const node = (id: string) => JSON.stringify({ node: { type: "Cadet", external_id: id } });
    const files = { "one.ndjson": `${node("a")}\n${node("b")}`, "two.ndjson": `${node("c")}\n{"node":{}}\n` };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(shell.folder, name), text);
    const run = await shell.run(
      "gzip two.ndjson && ikg graph import one.ndjson two.ndjson.gz --rejected no.ndjson",
    );
    const written = "done: 3 nodes and 0 relationships written, 1 lines rejected.\n";
    expect([run.code, run.output, run.errors]).toEqual([1, written, ""]);
    expect((await shell.run("jq .line no.ndjson")).output).toBe("4\n");
    const broken = await shell.run("echo x > x.gz && ikg graph import one.ndjson x.gz");
    expect(broken).toEqual({
      code: 2,
      output: "",
      errors: expect.stringMatching(/^error: x\.gz cannot be read.*\n$/),
    });
  }, 30_000);
});

describe("the state of a deployment", () => {
  it("is shown, and a doctor finds what is wrong", async () => {
    const status = await shell.run("ikg status -o json");
    expect([status.code, JSON.parse(status.output)]).toMatchObject([
      0,
      { services: { gateway: "up", configs: "up", access: "up", ciq: "up", capture: "up", audit: "up" } },
    ]);
    const doctor = await shell.run("ikg doctor -o json", { IKG_CLIENT_KEY: "ak1_wrong" });
    const findings = JSON.parse(doctor.output) as { check: string; result: string; advice?: string }[];
    expect(doctor.code).toBe(1);
    expect(findings.filter(({ result }) => result === "problem")).toMatchObject([
      { check: "client key", advice: expect.stringContaining("ikg keys create") },
    ]);
    const away = await shell.run("ikg doctor", { IKG_URL: "http://127.0.0.1:9" });
    expect([away.code, away.output]).toEqual([1, expect.stringContaining("problem connection: ")]);
  }, 30_000);
});
