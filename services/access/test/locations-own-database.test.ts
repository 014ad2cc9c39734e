import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { openEvaluateBatch } from "../src/decisions/evaluate-batch.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch, type Search } from "../src/decisions/search.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";
import { firstConnection, graph, secondConnection, south, useTwoDatabases } from "./two-databases.ts";

const options = { timeoutMs: 80_000 };

let project: CatalogProject;
let decide: Decide;
let search: Search;

/** Nurses and charts; who is named may read. */
const fill = ({ shared }: Graph, nurses: readonly string[], charts: readonly string[]): Promise<unknown> =>
  shared.write(
    (tx) =>
      tx.run(
        `UNWIND $charts AS c CREATE (r:_Node:_P:Chart {_key: '/Chart/' + c, external_id: c, id: c, type: 'Chart'})
         WITH collect(r) AS found UNWIND $nurses AS x
         CREATE (n:_Node:_P:Nurse {_key: '/Nurse/' + x, external_id: x, id: x, type: 'Nurse'})
         FOREACH (r IN found | CREATE (n)-[:READS]->(r))`,
        { nurses, charts },
      ),
    options,
  );

useTwoDatabases();

beforeAll(async () => {
  await fill(graph, ["ann"], ["here"]);
  await fill(south, ["eve"], ["s1", "s2"]);
  project = {
    ...projectOf(projectKey("")),
    connection: firstConnection,
    composite: {
      database: "hospital",
      constituents: new Map([
        ["global", "db1"],
        ["south", "db2"],
        ["lost", "db3"],
      ]),
      connections: new Map([
        ["db1", firstConnection],
        ["db2", secondConnection],
      ]),
    },
  };
  decide = openDecide(graph);
  search = openSearch({ graph, tokens: pageTokens(randomBytes(32)), decide }, "resource");
}, 120_000);

const policy = (cypher: string): StoredKbacPolicy => storedPolicy({ cypher, version: "3.0-kbac" });
const snapshot = (...policies: StoredKbacPolicy[]): ProjectSnapshot => snapshotOf(project, policies);
const match = "MATCH (subject:Nurse)-[:READS]->(resource:Chart)";
const dynamic = policy(`USE graph.byName($loc) ${match}`);
const fixed = policy(`USE graph.byName('hospital.db2') ${match}`);
const local = policy(match);

const question = (subject: string, resource: string, location?: unknown) => ({
  subject: { type: "Nurse", id: subject },
  resource: { type: "Chart", id: resource },
  action: { name: "READ" },
  context: location === undefined ? {} : { input_params: { loc: location } },
  token: undefined,
});
const granted = async (
  policies: StoredKbacPolicy[],
  ...args: Parameters<typeof question>
): Promise<boolean> => (await decide(snapshot(...policies), question(...args), options)).decision;
const faults = async (policies: StoredKbacPolicy[], ...args: Parameters<typeof question>) => {
  const error: unknown = await granted(policies, ...args).catch((reason: unknown) => reason);
  if (!(error instanceof Problem)) throw new Error("no problem was thrown", { cause: error });
  return [error.status, ...error.errors];
};

describe("a policy that says where it runs", () => {
  it("is asked there, by a parameter or by a name of its own", async () => {
    expect(await granted([dynamic], "eve", "s1", "south")).toBe(true);
    expect(await granted([dynamic], "ann", "here", "south")).toBe(false);
    expect(await granted([dynamic], "ann", "here", "global")).toBe(true);
    expect(await granted([dynamic], "eve", "s1", "global")).toBe(false);
    expect(await granted([fixed], "eve", "s2")).toBe(true);
    expect(await granted([local], "eve", "s1")).toBe(false);
    expect(await granted([local], "ann", "here")).toBe(true);
  });

  it("may be one of several, each with its place; a grant wins over a location that is wrong", async () => {
    expect(await granted([local, dynamic, fixed], "eve", "s1", "mars")).toBe(true);
    expect(await granted([local, dynamic], "ann", "here", "mars")).toBe(true);
    expect(await faults([local, dynamic], "eve", "s1", "mars")).toEqual([
      422,
      'unknown location "mars" for parameter "$loc"',
    ]);
  });

  it("cannot be asked without its location", async () => {
    const text = 'location parameter "$loc" must be a non-empty string';
    expect(await faults([dynamic], "eve", "s1")).toEqual([422, expect.stringContaining(text)]);
    expect(await faults([dynamic], "eve", "s1", 7)).toEqual([422, text]);
    expect(await faults([policy(`USE graph.byName('hospital.db9') ${match}`)], "eve", "s1")).toEqual([
      422,
      "the policy names an unknown location",
    ]);
  });

  it("cannot join databases on a server that has no composite one", async () => {
    const joined = policy(
      `CALL () { USE graph.byName($loc) ${match} RETURN subject, resource } MATCH (other:Nurse)`,
    );
    expect(await faults([joined], "eve", "s1", "south")).toEqual([
      422,
      "policy requires a composite database, but the project has none configured",
    ]);
  });

  it("answers 503 where the connection of a constituent is not known", async () => {
    expect(await faults([dynamic], "eve", "s1", "lost")).toEqual([503]);
  });

  it("finds what evaluation grants there", async () => {
    const found = async (subject: string, location: string) =>
      (await search(snapshot(dynamic), question(subject, "", location), undefined, options)).results;
    expect(await found("eve", "south")).toEqual([
      { type: "Chart", id: "s1" },
      { type: "Chart", id: "s2" },
    ]);
    expect(await found("ann", "south")).toEqual([]);
    expect(await found("ann", "global")).toEqual([{ type: "Chart", id: "here" }]);
  });

  it("has a place for each entry of a batch", async () => {
    const { subject, action } = question("eve", "");
    const entry = (id: string, loc: string) => ({
      resource: { type: "Chart", id },
      context: { input_params: { loc } },
    });
    const body = {
      subject,
      action,
      resource: undefined,
      context: undefined,
      options: undefined,
      evaluations: [entry("s1", "south"), entry("s1", "global"), entry("s1", "mars")],
    };
    const answer = await openEvaluateBatch(decide)(snapshot(dynamic), body, undefined, options);
    const reason = 'unknown location "mars" for parameter "$loc"';
    expect(answer).toEqual({
      evaluations: [
        { decision: true },
        { decision: false },
        { decision: false, context: { reason, error: { status: 422, message: reason } } },
      ],
    });
  });
});
