import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CatalogProject, StoredKbacPolicy } from "@ikg/catalog";
import { newGid, type Simulation, type SimulationInputs, SimulationRequest } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { projectKey } from "@ikg/physical";
import { defaultBudget } from "@ikg/policy-core";
import { elementIdsOf } from "@ikg/query-rows";
import { type Decide, openDecide } from "../../src/decisions/decide.ts";
import { evaluationOf } from "../../src/simulations/inputs.ts";
import { progressTokens } from "../../src/simulations/progress-tokens.ts";
import { openSimulate, type Simulate } from "../../src/simulations/simulate.ts";
import { decideOnce } from "../../src/simulations/try-pairs.ts";
import { type PolicyText, snapshotOf } from "../policies.ts";
import { projectOf } from "../project.ts";
import { firstConnection, graph, secondConnection, south, useTwoDatabases } from "../two-databases.ts";
import { options, pairsOf, put, stored } from "./simulations-under-test.ts";

/** Persons and documents of the default database, those of the second one, and of each one that is in both. */
const persons = { here: ["ann", "both"], south: ["both", "eve"] };
const documents = { here: ["d1", "shared"], south: ["d2", "d3", "shared"] };
const everyone = ["ann", "both", "eve"];
const everything = ["d1", "d2", "d3", "shared"];

/** The same in every call: a token continues the simulation of its project alone. */
const projectId = newGid("project");

let own: CatalogProject;
let composite: CatalogProject;
let decide: Decide;
let simulate: Simulate;

/** Every person wrote the first document and reads all of them. */
const fill = ({ shared }: Graph, place: "here" | "south"): Promise<unknown> =>
  shared.write(
    (tx) =>
      tx.run(
        `UNWIND range(0, size($documents) - 1) AS i WITH i, $documents[i] AS c
         CREATE (r:_Node:_P:Document {_key: '/Document/' + c, external_id: c, id: c, type: 'Document', level: i})
         WITH collect(r) AS found UNWIND $persons AS x
         CREATE (n:_Node:_P:Person {_key: '/Person/' + x, external_id: x, id: x, type: 'Person'})
         FOREACH (r IN found | CREATE (n)-[:READS]->(r))
         FOREACH (r IN found[0..1] | CREATE (n)-[:WROTE]->(r))`,
        { persons: persons[place], documents: documents[place] },
      ),
    options,
  );

useTwoDatabases();

beforeAll(async () => {
  await fill(graph, "here");
  await fill(south, "south");
  own = { ...projectOf(projectKey("")), connection: secondConnection };
  composite = {
    ...projectOf(projectKey("")),
    connection: firstConnection,
    composite: {
      database: "office",
      constituents: new Map([
        ["global", "db1"],
        ["south", "db2"],
      ]),
      connections: new Map([
        ["db1", firstConnection],
        ["db2", secondConnection],
      ]),
    },
  };
  decide = openDecide(graph);
  const key = randomBytes(32);
  simulate = openSimulate({
    graph,
    idsOf: elementIdsOf(key),
    decide,
    switches: {},
    budget: defaultBudget,
    tokens: progressTokens(key),
  });
}, 120_000);

const simulated = async (
  project: CatalogProject,
  before: readonly StoredKbacPolicy[],
  body: object,
  budgetMs = 60_000,
): Promise<Simulation> => {
  const request = SimulationRequest.parse({
    project_id: projectId,
    examples: 100,
    ...body,
  });
  const run = await simulate(snapshotOf(project, before), { ...request, budget_ms: budgetMs }, {});
  let last: Simulation | undefined;
  for await (const each of run()) last = each;
  if (last === undefined) throw new Error("no answer");
  return last;
};

/** Pairs that are granted, each decided by itself. */
const granted = async (
  project: CatalogProject,
  all: readonly StoredKbacPolicy[],
  inputs: SimulationInputs,
): Promise<readonly string[]> => {
  const once = decideOnce(decide, () => options);
  const question = { subjectType: "Person", action: "READ", resourceType: "Document", before: [], after: [] };
  const pairs = everyone.flatMap((subject) =>
    everything.map(async (resource) => {
      const outcome = await once(snapshotOf(project, all), evaluationOf(question, inputs, subject, resource));
      return outcome?.granted === true ? [`${subject} > ${resource}`] : [];
    }),
  );
  return (await Promise.all(pairs)).flat();
};

/** Simulates that one policy becomes another one, and requires what decisions one by one give. */
const become = async (
  project: CatalogProject,
  from: PolicyText,
  to: PolicyText,
  inputs: SimulationInputs = {},
): Promise<Simulation> => {
  const others = [stored("other", wrote)];
  const [before, after] = [
    [stored("rule", from), ...others],
    [stored("rule", to), ...others],
  ];
  const answer = await simulated(project, before, { changes: [put("rule", to)], inputs });
  const [old, next] = [await granted(project, before, inputs), await granted(project, after, inputs)];
  expect([pairsOf(answer, "gained"), pairsOf(answer, "lost")]).toEqual([
    next.filter((each) => !old.includes(each)).toSorted(),
    old.filter((each) => !next.includes(each)).toSorted(),
  ]);
  return answer;
};

const wrote: PolicyText = { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" };
const reads: PolicyText = { cypher: "MATCH (subject:Person)-[:READS]->(resource:Document)" };

describe("a simulation of a project with a database of its own", () => {
  it("looks for pairs there", async () => {
    const answer = await become(own, reads, wrote);
    expect(answer.questions).toMatchObject([
      { method: "scan", lost: { count: 4 }, subjects: { examined: 2, of: 2 } },
    ]);
    expect((await become(own, wrote, reads)).questions[0]?.gained.count).toBe(4);
  });

  it("runs queries there", async () => {
    const active = (collection: string, name: string, record: object) => ({
      ...{ op: "put", collection, name },
      record: { ...record, status: "ACTIVE" },
    });
    const policy = {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Person" },
      condition: { cypher: "MATCH (subject:Person)-[:READS]->(d:Document)" },
      allowed_reads: { nodes: ["d.external_id"] },
    };
    const answer = await simulated(own, [], {
      changes: [
        active("authorization-policies", "reads", { policy }),
        active("knowledge-queries", "documents", { policy: "reads", query: { nodes: ["d.external_id"] } }),
      ],
      queries: [{ name: "documents", as: { token: { sub: "eve" } } }],
    });
    expect(answer.queries).toMatchObject([
      { rows_before: 0, rows_after: 3, refused_before: { code: "not_found" } },
    ]);
    expect(answer.queries?.[0]?.only_after?.examples.map(({ nodes }) => nodes["d"]).toSorted()).toEqual(
      documents.south,
    );
  });
});

describe("a simulation of policies that say where they run", () => {
  const routed = (use: string, { cypher }: PolicyText): PolicyText => ({
    version: "3.0-kbac",
    cypher: `USE graph.byName(${use}) ${cypher}`,
  });
  const [fixed, dynamic] = [routed("'office.db2'", reads), routed("$loc", reads)];

  it("finds the subjects and resources of every place, each of them once", async () => {
    const answer = await become(composite, reads, fixed);
    expect(answer.questions).toMatchObject([
      {
        method: "pairs",
        gained: { count: 5 },
        lost: { count: 1 },
        subjects: { examined: everyone.length, of: everyone.length },
      },
    ]);
    expect((await become(composite, fixed, reads)).questions).toMatchObject([
      { gained: { count: 1 }, lost: { count: 5 } },
    ]);
    await become(composite, routed("'office.db1'", reads), fixed);
  });

  it("follows the location that the inputs name", async () => {
    for (const loc of ["south", "global"]) {
      const inputs = { input_params: { loc } };
      await become(composite, wrote, dynamic, inputs);
      await become(composite, dynamic, fixed, inputs);
      await become(composite, reads, dynamic, inputs);
    }
  });

  it("grants nothing at a location that is not known, or is not named", async () => {
    await become(composite, fixed, dynamic, { input_params: { loc: "mars" } });
    const answer = await become(composite, fixed, dynamic);
    expect(answer.undetermined).toEqual([{ name: "rule", parameters: ["loc"] }]);
  });

  it("continues where its time was over, over all places", async () => {
    const changes = [put("rule", fixed)];
    const answers: Simulation[] = [];
    for (let next: string | undefined = ""; next !== undefined && answers.length < 20;) {
      const more: object = next === "" ? {} : { next };
      // The first call has less time than a request may ask for, so that it ends before the simulation does.
      const answer = await simulated(composite, [], { changes, ...more }, 2 ** answers.length);
      answers.push(answer);
      next = answer.next;
    }
    expect(answers.length).toBeGreaterThan(1);
    expect(answers.at(-1)?.questions).toMatchObject([{ gained: { count: 6, exact: true } }]);
  });
});
