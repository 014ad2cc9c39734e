import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ScriptedSuite } from "../../../test/scripted-suite.ts";

const policy = (cypher: string): string => `policy:
  meta:
    policy_version: 2.0-kbac
  subject:
    type: Pilot
  actions:
    - FLY
  resource:
    type: Aircraft
  condition:
    cypher: |-
      ${cypher}
status: ACTIVE
`;
const tree = (cypher: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: ["FLY"],
  resource: { type: "Aircraft" },
  condition: { cypher },
});
const forRatings = { meta: { policy_version: "1.0-ciq" } };

const put = (collection: string, name: string, record: object) => ({ op: "put", collection, name, record });
const exported = {
  project_id: "gid:p",
  export_time: "2026-01-01T00:00:00Z",
  changes: [
    put("authorization-policies", "may-fly", {
      policy: JSON.stringify(tree("MATCH (subject)-[:OWNS]->(resource)")),
      status: "ACTIVE",
    }),
    put("authorization-policies", "may-read", { policy: JSON.stringify(forRatings), status: "ACTIVE" }),
    put("knowledge-queries", "ratings", { query: '{"nodes":[]}', status: "ACTIVE", policy: "may-read" }),
  ],
  records: [],
  secrets: [],
};

const simulation = {
  complete: true,
  milliseconds: 1,
  undetermined: [],
  questions: [
    {
      subject_type: "Pilot",
      action: "FLY",
      resource_type: "Aircraft",
      gained: { count: 0, exact: true, examples: [] },
      lost: {
        count: 1,
        exact: true,
        examples: [{ subject: "ann", resource: "n1", policies: ["may-fly"] }],
      },
      subjects: { examined: 1, of: 1 },
      method: "scan",
    },
  ],
};

const warning = {
  change: 0,
  code: "unknown-label",
  text: 'the graph holds no node of type "Modle"',
  path: "policy.condition.cypher",
  line: 1,
  column: 11,
};
const transition = { collection: "authorization-policies", id: "gid:a", name: "may-fly", op: "put" };
const applied = {
  project_id: "gid:p",
  create_time: "2026-01-01T00:00:00Z",
  created_by: "gid:s",
  changes: [{ ...transition, from_version: 1, to_version: 2 }],
  unchanged: [],
  warnings: [warning],
};
const refused = [
  'changes[0].policy.condition.cypher: unexpected "MATHC" (line 1, column 1)',
  "changes[0].record.status: one of ACTIVE, INACTIVE, DRAFT expected",
  "changes[1].name: used by knowledge query ratings",
];

let cwd: string;
let suite: ScriptedSuite;
beforeEach(async () => {
  suite = await ScriptedSuite.start();
  cwd = mkdtempSync(join(tmpdir(), "ikg-apply-"));
  mkdirSync(join(cwd, "files/policies"), { recursive: true });
  writeFileSync(join(cwd, "files/policies/may-fly.yaml"), policy("MATCH (m:Modle), (subject)"));
  suite.answers = {
    "GET /configs/v1/export": () => [200, exported],
    "POST /access/v1/simulations": () => [200, simulation],
    "POST /configs/v1/changes": ({ query }) => [
      200,
      query.get("dry_run") === "true" ? { ...applied, dry_run: true } : { ...applied, id: "gid:c" },
    ],
  };
});
afterEach(() => {
  suite.close();
  rmSync(cwd, { recursive: true, force: true });
});

const ikg = (...args: string[]) => suite.run(args, { cwd });
const warned =
  'warning: files/policies/may-fly.yaml:12:17: the graph holds no node of type "Modle" (unknown-label)\n';
const countOf = (text: string, part: string): number => text.split(part).length - 1;

describe("ikg plan", () => {
  it("shows warnings of the suite at their places, and changes nothing", async () => {
    const { code, output, errors } = await ikg("plan", "files");
    expect([code, errors]).toEqual([0, warned]);
    expect(output).toContain("+      MATCH (m:Modle), (subject)\n");
    expect(suite.requests).toEqual([
      "GET /configs/v1/export",
      "POST /configs/v1/changes",
      "POST /access/v1/simulations",
    ]);
  });

  it("shows what the suite refuses at its place, and a deletion by its name", async () => {
    suite.answers = { ...suite.answers, "POST /configs/v1/changes": () => [422, refusal] };
    const { code, output, errors } = await ikg("plan", "files", "--prune");
    expect([code, output]).toEqual([2, ""]);
    expect(errors.split("\n").filter((line) => !/^(\d+ | +)\| /.test(line))).toEqual([
      'error: files/policies/may-fly.yaml:12:7: policy.condition.cypher: unexpected "MATHC" (line 1, column 1)',
      "files/policies/may-fly.yaml:13:9: record.status: one of ACTIVE, INACTIVE, DRAFT expected",
      "authorization-policies may-read: name: used by knowledge query ratings",
      "",
    ]);
    expect(errors).toContain("\n12 |       MATCH (m:Modle), (subject)\n   |       ^\n");
  });

  it("says whose rows were not compared, also of a policy that is deleted", async () => {
    const { errors } = await ikg("plan", "files", "--prune");
    expect(errors).toContain(
      'warning: may-read (of ratings), ratings: rows of queries were not compared; list the queries as "queries" in a file',
    );
  });
});

const refusal = { message: "Unprocessable Entity", errors: refused };

describe("ikg apply", () => {
  it("shows the differences and whose access they change also where it does not ask", async () => {
    const { code, output, errors } = await ikg("apply", "files", "--yes");
    expect([code, errors]).toEqual([0, warned]);
    for (const part of ["--- policies/may-fly.yaml", "- Pilot/ann FLY Aircraft/n1 (may-fly)"])
      expect(countOf(output, part)).toBe(1);
    expect(output).toMatch(
      /\n0 created, 1 changed, 0 deleted\.\nmay-fly 1→2\.\nChange gid:c takes effect within two seconds\.\n$/,
    );
  });

  it("prints one value for programs", async () => {
    const { output } = await ikg("apply", "files", "--yes", "-o", "json");
    expect(JSON.parse(output)).toMatchObject({
      texts: [{ name: "may-fly" }],
      access: { complete: true },
      applied: { id: "gid:c" },
    });
  });

  it("needs consent, and says how where it cannot ask", async () => {
    const { code, output, errors } = await ikg("apply", "files");
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toMatch(/\nerror: not applied: no terminal for the confirmation; add --yes\n$/);
    expect(countOf(errors, "--- policies/may-fly.yaml")).toBe(1);
    expect(suite.requests).not.toContain("POST /configs/v1/changes");
  });

  it("shows once what was asked about", async () => {
    const prompts: string[] = [];
    const terminal = { inputIsTerminal: true, isTerminal: true };
    const readLine = (question: string): Promise<string> => {
      prompts.push(question);
      return Promise.resolve("y");
    };
    const { code, output, errors } = await suite.run(["apply", "files"], { cwd, ...terminal, readLine });
    expect([code, prompts]).toEqual([0, ["Apply these changes? [y/N] "]]);
    expect(countOf(`${output}${errors}`, "--- policies/may-fly.yaml")).toBe(1);
  });

  it("is stopped by --fail-on, which says so once", async () => {
    for (const options of [["--yes"], []]) {
      const { code, output, errors } = await ikg("apply", "files", "--fail-on", "lost", ...options);
      expect([code, errors]).toEqual([1, "--fail-on: 1 lost, more than 0\n"]);
      expect(countOf(output, "--- policies/may-fly.yaml")).toBe(1);
    }
  });

  it("shows what the suite refuses at its place", async () => {
    suite.answers = { ...suite.answers, "POST /configs/v1/changes": () => [422, refusal] };
    const { code, output, errors } = await ikg("apply", "files", "--no-access", "--yes");
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toMatch(
      /^error: files\/policies\/may-fly\.yaml:12:7: policy\.condition\.cypher: unexpected "MATHC"/,
    );
  });
});

describe("ikg apply, when the response of the change set is lost", () => {
  const lost = (): readonly [number, unknown] => [502, { message: "Bad Gateway" }];
  const record = { ...applied, id: "gid:c", warnings: undefined, unchanged: undefined };
  const items = (...all: object[]) => ({ items: all, has_more: false, next_cursor: "" });
  const after = { policy: JSON.stringify(tree("MATCH (m:Modle), (subject)")), status: "ACTIVE" };
  const run = () => ikg("apply", "files", "--no-access", "--yes");

  beforeEach(() => {
    writeFileSync(join(cwd, "files/project.yaml"), "applications:\n  tower: {}\n");
    suite.answers = {
      ...suite.answers,
      "POST /configs/v1/applications": () => [201, { id: "gid:t", name: "tower" }],
      "DELETE /configs/v1/applications/gid:t": () => [200, {}],
      "POST /configs/v1/changes": ({ query }) =>
        query.get("dry_run") === "true" ? [200, { ...applied, dry_run: true }] : lost(),
      "GET /configs/v1/changes": () => [200, items(record)],
      "GET /configs/v1/changes/gid:c": () => [
        200,
        { ...record, changes: record.changes.map((each) => ({ ...each, after })) },
      ],
    };
  });

  it("finds the change that was applied, and takes nothing back", async () => {
    const { code, output, errors } = await run();
    expect([code, errors]).toEqual([0, expect.stringContaining("the change was applied nevertheless\n")]);
    expect(output).toContain("Change gid:c takes effect within two seconds.\n");
    expect(suite.requests).not.toContain("DELETE /configs/v1/applications/gid:t");
  });

  it("takes records back where nothing was applied", async () => {
    const others = [
      { ...record, message: "of another user" },
      { ...record, create_time: "2025-12-31T00:00:00Z" },
    ];
    suite.answers = { ...suite.answers, "GET /configs/v1/changes": () => [200, items(...others)] };
    const { code, errors } = await run();
    expect([code, errors]).toEqual([2, expect.stringMatching(/^error: Bad Gateway/)]);
    expect(suite.requests).toContain("DELETE /configs/v1/applications/gid:t");
  });

  it("does not take a change of the same records with another text for its own", async () => {
    const other = { ...after, policy: JSON.stringify(tree("MATCH (subject)")) };
    suite.answers = {
      ...suite.answers,
      "GET /configs/v1/changes/gid:c": () => [
        200,
        { ...record, changes: record.changes.map((each) => ({ ...each, after: other })) },
      ],
    };
    expect((await run()).code).toBe(2);
    expect(suite.requests).toContain("DELETE /configs/v1/applications/gid:t");
  });

  it("takes nothing back where the suite does not say", async () => {
    suite.answers = {
      ...suite.answers,
      "GET /configs/v1/changes": () => [403, { message: "Forbidden" }],
    };
    const { code, errors } = await run();
    expect([code, errors]).toEqual([2, expect.stringContaining("so nothing was rolled back")]);
    expect(suite.requests).not.toContain("DELETE /configs/v1/applications/gid:t");
  });

  it("says which record may have been created though its response is lost", async () => {
    suite.answers = { ...suite.answers, "POST /configs/v1/applications": lost };
    const { code, errors } = await run();
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining("applications tower: it is unknown whether it was created"),
    ]);
  });
});

describe("ikg simulate and ikg replay", () => {
  it("show what the suite refuses at its place in a file of changes", async () => {
    const changes = [put("authorization-policies", "may-fly", { policy: tree("MATHC") })];
    writeFileSync(join(cwd, "changes.json"), JSON.stringify({ changes }, null, 2));
    const errors = [refused[0] ?? ""];
    suite.answers = {
      "POST /access/v1/simulations": () => [422, { message: "Unprocessable Entity", errors }],
    };
    const { code, errors: shown } = await ikg("simulate", "changes.json");
    expect([code, shown]).toEqual([
      2,
      expect.stringMatching(
        /^error: changes\.json:22:24: policy\.condition\.cypher: unexpected "MATHC".*\n22 \| +"cypher": "MATHC"\n/,
      ),
    ]);
  });
});
