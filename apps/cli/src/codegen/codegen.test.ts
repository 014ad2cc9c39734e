import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "@jest/globals";
import { ScriptedSuite } from "../../test/scripted-suite.ts";
import { runIkg } from "../../test/command-environment.ts";
import { typesOfSchema } from "./graph-types.ts";
import { modelOf } from "./model-of.ts";
import { printTypes } from "./print-types.ts";
import { typeNameOf } from "./sources.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ikg-codegen-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (...args: readonly string[]) => {
  const { code, errors } = await runIkg(args, { cwd: root });
  return { code, errors };
};

const kbac = (action: string, cypher: string, subject = "Person") => ({
  name: `may-${action.toLowerCase()}`,
  text: JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: subject },
    actions: [action],
    resource: { type: "Document" },
    condition: { cypher },
  }),
});
const empty = { nodes: new Map(), relationships: new Set<string>() };

describe("ikg codegen", () => {
  const out = join(folder, "airfield.ts");
  const args = ["codegen", "--from", "examples/airfield/airfield.ikg.yaml", "--out", out];

  it("writes the types of a file, the same each time", async () => {
    expect(await run(...args)).toEqual({ code: 0, errors: "" });
    const text = readFileSync(out, "utf8");
    // The test of types compiles what this file allows and refuses.
    expect(text).toBe(readFileSync(join(root, "libs", "client", "test", "airfield.ts"), "utf8"));
    expect(await run(...args, "--check")).toEqual({ code: 0, errors: "" });
  });

  it("exits with 1 if the file is out of date", async () => {
    const stale = join(folder, "stale.ts");
    writeFileSync(stale, "old");
    const checked = await run(
      "codegen",
      "--from",
      "examples/airfield/airfield.ikg.yaml",
      "--out",
      stale,
      "--check",
    );
    expect(checked.code).toBe(1);
    expect(checked.errors).toContain("is out of date");
    expect(readFileSync(stale, "utf8")).toBe("old");
  });

  it("ends with 2 where it is not said what to type, or where that is not there", async () => {
    for (const wrong of [[], ["--from", "missing.ikg.yaml"], ["--from", "a", "--project", "b"]]) {
      const args = ["codegen", "--out", join(folder, "none.ts"), ...wrong];
      // A folder without a suite of its own.
      const { code, errors } = await runIkg(args, { cwd: folder, variables: { HOME: folder } });
      expect([code, errors.length > 0]).toEqual([2, true]);
    }
  });

  it.each([
    [403, "the roles of the credential cannot read the data schema"],
    [404, "the graph has no nodes"],
  ])(
    "types the project of the context, without its graph where that is answered %d",
    async (status, reason) => {
      const suite = await ScriptedSuite.start();
      suite.answers = {
        "GET /configs/v1/export": () => [
          200,
          { project_id: "gid:p", export_time: "", changes: [], records: [], secrets: [] },
        ],
        "GET /configs/v1/projects/gid:p": () => [200, { id: "gid:p", name: "hangar" }],
        "GET /data-schema/v1": () => [status, { message: "Not for you" }],
      };
      try {
        const contexts = join(folder, "contexts.json");
        const here = { url: suite.url, token: "t", project: "gid:p" };
        writeFileSync(contexts, JSON.stringify({ current: "here", contexts: { here } }), { mode: 0o600 });
        const variables = { IKG_CONTEXTS: contexts, HOME: folder };
        const { code, errors } = await runIkg(["codegen", "--out", "context.ts"], {
          cwd: folder,
          variables,
        });
        const warning = `warning: types of nodes and relationships are missing: ${reason}\n`;
        expect([code, errors]).toEqual([0, warning]);
        expect(readFileSync(join(folder, "context.ts"), "utf8")).toContain("Hangar");
      } finally {
        suite.close();
      }
    },
  );
});

describe("the model of a project", () => {
  it("has the parameters of all policies that know an action", () => {
    const { actions, nodes } = modelOf({
      policies: [
        kbac("READ", "MATCH (subject)-[:OWNS]->(resource) WHERE resource.property.level < $level"),
        {
          ...kbac("READ", "MATCH (subject)-[:SEES]->(resource) WHERE resource.property.kind = $filter.kind"),
          name: "b",
        },
        kbac("EDIT", "MATCH (subject)-[:OWNS]->(resource)"),
        { name: "broken", text: "{" },
      ],
      queries: [],
      graph: empty,
    });
    const ofDocument = actions.get("Person")?.get("Document");
    expect(ofDocument?.get("READ")).toEqual(
      new Map([
        ["filter", "object"],
        ["level", "value"],
      ]),
    );
    expect(ofDocument?.get("EDIT")).toEqual(new Map());
    expect([...nodes.keys()].toSorted()).toEqual(["Document", "Person"]);
  });

  it("has the types of values of a live graph, without the suite's own nodes", () => {
    const property = (...types: readonly ("integer" | "float" | "string" | "external")[]) => ({
      count: 1,
      types: types.map((type) => ({ type, count: 1 })),
    });
    const metadata = { node_count: 1, system_labels: [], user_defined_labels: [] };
    const graph = typesOfSchema({
      graph: {
        directed: true,
        metadata: { created_at: "", updated_at: "" },
        nodes: {
          Pilot: {
            metadata: {
              ...metadata,
              properties: { hours: property("integer", "float"), note: property("external") },
            },
          },
          _AppAgent: { metadata: { ...metadata, properties: {} } },
        },
        edges: [
          {
            source: "Pilot",
            target: "Model",
            relation: "RATED_FOR",
            directed: true,
            metadata: { count: 1, properties: {} },
          },
        ],
      },
    });
    const text = printTypes("Project", modelOf({ policies: [], queries: [], graph }));
    expect(text).toContain("    Pilot: {\n      hours: number;\n      note: Value;\n    };");
    expect(text).toContain('  relationships: "RATED_FOR";');
    expect(text).not.toContain("_AppAgent");
  });

  it("is the same text whatever the order of its records", () => {
    const policies = ["READ", "EDIT", "SHARE"].map((action) =>
      kbac(action, "MATCH (subject)-[:OWNS]->(resource)"),
    );
    const texts = [policies, policies.toReversed()].map((list) =>
      printTypes("P", modelOf({ policies: list, queries: [], graph: empty })),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it("is named after its project", () => {
    expect(["air-field", "film archive", "1st", "a_b"].map(typeNameOf)).toEqual([
      "AirField",
      "FilmArchive",
      "Project1st",
      "AB",
    ]);
  });
});
