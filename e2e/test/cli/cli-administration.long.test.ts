import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";
import { freshName } from "../../src/fresh-name.ts";

let shell: AirfieldShell;

beforeAll(async () => {
  shell = await openAirfieldShell();
}, 60_000);

afterAll(() => shell?.remove());

const may = "ikg may Pilot/amelia FLY Aircraft/N211 -p min_hours=100";

describe("changes on the command line", () => {
  it("are listed, compared, rolled back and reverted", async () => {
    await shell.run("ikg update policies may-fly --set 'tags=[\"safety\"]'");
    const diff = await shell.run("ikg diff may-fly@1 may-fly");
    expect([diff.code, diff.output]).toEqual([1, expect.stringContaining("+tags:\n+  - safety")]);
    expect((await shell.run("ikg diff may-fly may-fly")).code).toBe(0);
    const history = await shell.run("ikg history may-fly -o json");
    const [last] = JSON.parse(history.output) as { id: string; changes: { to_version: number }[] }[];
    expect(last?.changes[0]?.to_version).toBe(2);
    expect((await shell.run(`ikg revert ${last?.id}`)).errors).toBe(
      "error: not reverted: no terminal for the confirmation; add --yes\n",
    );
    expect((await shell.run(`ikg revert ${last?.id} --yes`)).output).toContain("may-fly 2→3.");
    expect((await shell.run(`ikg revert ${last?.id} --yes`)).errors).toMatch(
      /^error: not reverted: change gid:\S+ of \S+ has already reverted it; use --force /,
    );
    expect((await shell.run("ikg history --limit 1")).output).toContain(`may-fly 2→3 (reverts ${last?.id})`);
    expect((await shell.run("ikg rollback may-fly 9 --yes")).errors).toBe(
      "error: may-fly has no version 9; available: 1 to 3\n",
    );
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
    expect(saved).toEqual({ code: 0, output: "The key was stored in the context airfield.\n", errors: "" });
    expect((await shell.run(may, noKey)).output).toBe("granted\n");
    const { output } = await shell.run("ikg keys list dispatch-agent -o json");
    expect(output).not.toContain("ak1_");
    const id = (JSON.parse(output) as { id: string }[]).at(-1)?.id;
    expect((await shell.run(`ikg keys revoke ${id} --yes`)).code).toBe(0);
    await new Promise((resolve) => void setTimeout(resolve, 2_000));
    expect((await shell.run(may, noKey)).code).toBe(2);
  }, 30_000);
});

describe("the token of a service account", () => {
  it("is replaced by another one, and ends after the overlap", async () => {
    const { admin } = shell.project;
    const account = await admin.serviceAccounts.create({ name: freshName("rotated"), role: "all_viewer" });
    const create = `ikg keys create ${account.name} --service-account`;
    const tokens: string[] = [];
    const list = async () => {
      const { output } = await shell.run(`ikg keys list ${account.name} --service-account -o json`);
      expect(tokens.filter((token) => output.includes(token))).toEqual([]);
      return JSON.parse(output) as readonly { readonly id: string; readonly expire_time?: string }[];
    };
    try {
      tokens.push((await shell.run(create)).output.trim());
      const [former] = await list();
      expect(former?.expire_time).toBeUndefined();
      const before = Date.now();
      tokens.push((await shell.run(`${create} --replaces ${former?.id} --overlap 7d`)).output.trim());
      const ends = (await list()).map(({ id, expire_time }) => [id === former?.id, expire_time]);
      const end = ends.find(([isFormer]) => isFormer)?.[1];
      const week = 7 * 24 * 3_600_000;
      expect(Date.parse(String(end)) - before).toBeGreaterThanOrEqual(week - 1_000);
      expect(Date.parse(String(end)) - Date.now()).toBeLessThanOrEqual(week);
      expect(ends.filter(([isFormer]) => isFormer !== true)).toEqual([[false, undefined]]);
      for (const token of tokens)
        expect((await shell.run("ikg get projects", { IKG_TOKEN: token })).code).toBe(0);
    } finally {
      await admin.serviceAccounts.delete(account.id);
    }
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
    const written = "done: 3 nodes and 0 relationships written, 1 line rejected.\n";
    expect([run.code, run.output, run.errors]).toEqual([1, written, ""]);
    expect((await shell.run("jq .line no.ndjson")).output).toBe("4\n");
    const broken = await shell.run("printf '\\037\\213x' > x.gz && ikg graph import one.ndjson x.gz");
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
      {
        suite_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        administrator: { type: "service_account", roles: [{ role: "owner" }] },
        services: { gateway: "up", configs: "up", access: "up", ciq: "up", capture: "up", audit: "up" },
      },
    ]);
    const { limits, own_limits: own } = JSON.parse(status.output) as Readonly<Record<string, object>>;
    expect([limits, own]).toMatchObject([{ requests_per_second: 1_000_000, sessions: 2_000 }, {}]);
    const { output: shown } = await shell.run("ikg status");
    expect(shown).toMatch(/^limits +installation defaults$/m);
    expect(shown).toMatch(/^administrator +\S+, service account: owner$/m);
    const doctor = await shell.run("ikg doctor -o json", { IKG_CLIENT_KEY: "ak1_wrong" });
    const findings = JSON.parse(doctor.output) as { check: string; result: string; advice?: string }[];
    expect(doctor.code).toBe(1);
    expect(findings.filter(({ result }) => result === "problem")).toMatchObject([
      { check: "client key", advice: expect.stringContaining("ikg keys create") },
    ]);
    const unreachable = await shell.run("ikg doctor", { IKG_URL: "http://127.0.0.1:9" });
    expect([unreachable.code, unreachable.output]).toEqual([
      1,
      expect.stringContaining("problem connection: "),
    ]);
  }, 30_000);
});
