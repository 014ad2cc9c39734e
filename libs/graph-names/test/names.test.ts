import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import { connectGraph, type Graph, StatementTimeout } from "@ikg/graph";
import { newProjectKey, projectLabel, projectNamesKey, projectNamesLabel } from "@ikg/physical";
import { isLongRun, neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type NamedProject, type NameKind, type NameUse, openNames } from "../src/index.ts";

const options = { timeoutMs: 30_000 };
let graph: Graph;
const projects: NamedProject[] = [];

beforeAll(async () => {
  graph = connectGraph(neo4jOfTests());
  await graph.prepare();
});
afterEach(async () => {
  const rows = projects.splice(0).map(({ id, pk }) => {
    return { label: projectLabel(pk as never), key: projectNamesKey(id) }; // a key of `projectOf`
  });
  await graph.shared.write(async (tx) => {
    await tx.run("UNWIND $rows AS row MATCH (n:$(row.label)) DETACH DELETE n", { rows });
    await tx.run(`UNWIND $rows AS row MATCH (g:${projectNamesLabel} {key: row.key}) DELETE g`, { rows });
  }, options);
});
afterAll(() => graph.close());

const projectOf = (
  limits: Partial<Record<NameKind, number>> = {},
  more: Partial<NamedProject> = {},
): NamedProject => {
  const project = {
    id: newGid("project"),
    pk: newProjectKey(randomBytes(8)),
    limits: { ...effectiveLimits(undefined), ...limits },
    organizationId: newGid("organization"),
    organizationNames: defaultOrganizationNames,
    ...more,
  };
  projects.push(project);
  return project;
};

/** As the removal of a project does. */
const forget = ({ id }: NamedProject): Promise<unknown> =>
  graph.shared.write(
    (tx) => tx.run(`MATCH (g:${projectNamesLabel} {key: $key}) DELETE g`, { key: projectNamesKey(id) }),
    options,
  );

const open = (on: Graph = graph) => openNames(on, { warn: () => undefined });

const uses = (kind: NameKind, ...names: readonly string[]): readonly NameUse[] =>
  names.map((name, at) => ({ place: `nodes[${at}]`, visit: (take) => take(kind, name) }));

const listed = async ({ id }: NamedProject): Promise<Record<string, unknown>> => {
  const text = `MATCH (g:${projectNamesLabel} {key: $key}) RETURN g.property_names AS property_names,
    g.relationship_types AS relationship_types, g.node_types AS node_types, g.count_time IS NOT NULL AS counted`;
  return (await graph.shared.read(text, { key: projectNamesKey(id) }, options))[0] ?? {};
};

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Names whose questions to the database are counted. */
const openCounted = () => {
  let calls = 0;
  const counting: Graph = {
    ...graph,
    of: (of) => {
      calls++;
      return graph.of(of);
    },
  };
  return { names: open(counting), countCalls: () => calls };
};

describe("the names of a graph", () => {
  it("are reserved up to the limit, and refused beyond with the part, the limit and its value", async () => {
    const project = projectOf({ property_names: 2 });
    const names = open();
    await names.reserve(project, uses("property_names", "a", "b", "a"));
    await expect(names.reserve(project, uses("property_names", "b", "c"))).rejects.toMatchObject({
      code: "unprocessable",
      errors: [
        "nodes[1]: the project's graph has 2 property names and cannot take 1 more: c (limit property_names, 2)",
      ],
    });
    await names.reserve(project, uses("property_names", "b", "a"));
    expect(await listed(project)).toMatchObject({ property_names: ["a", "b"], counted: true });
  });

  it("of a refused write are not reserved; of parts by themselves those that fit are", async () => {
    const project = projectOf({ node_types: 2 });
    const names = open();
    const three = uses("node_types", "A1", "A2", "A3");
    await expect(names.reserve(project, three)).rejects.toMatchObject({ code: "unprocessable" });
    expect((await listed(project))["node_types"]).toEqual([]);
    const refusals = await names.reserveEach(project, three);
    expect(refusals.map((reasons) => reasons.length)).toEqual([0, 0, 1]);
    expect((await listed(project))["node_types"]).toEqual(["A1", "A2"]);
  });

  it("cost the database nothing once they are known", async () => {
    const project = projectOf();
    const { names, countCalls } = openCounted();
    await names.reserve(project, uses("relationship_types", "KNOWS", "LIKES"));
    expect(countCalls()).toBe(1);
    for (let i = 0; i < 5; i++) await names.reserve(project, uses("relationship_types", "LIKES", "KNOWS"));
    expect(countCalls()).toBe(1);
  });

  it("of writes that come together are reserved by the first of them", async () => {
    const project = projectOf();
    const { names, countCalls } = openCounted();
    await Promise.all(range(50).map(() => names.reserve(project, uses("property_names", "a", "b"))));
    expect(countCalls()).toBe(1);
    await Promise.all(range(50).map((i) => names.reserve(project, uses("property_names", `c${i % 5}`))));
    expect(countCalls()).toBe(6);
    expect((await listed(project))["property_names"]).toHaveLength(7);
  });

  it("are reserved again in another database, to which a project was moved", async () => {
    const connection = { url: "bolt://one.example", username: "neo4j", password: "secret" };
    const project = projectOf({}, { connection });
    const { names, countCalls } = openCounted();
    for (const changes of [{}, { name: "other" }, { url: "bolt://two.example" }])
      await names.reserve(
        { ...project, connection: { ...connection, ...changes } },
        uses("node_types", "Car"),
      );
    expect(countCalls()).toBe(3);
  });

  it("are waited for no longer than the limit of a call, also while another one reserves some", async () => {
    const project = projectOf();
    const never = new Promise<never>(() => undefined);
    const names = open({ of: () => ({ write: () => never }) } as unknown as Graph); // nothing else is called
    void names.reserve(project, uses("node_types", "Car"));
    await expect(names.reserve(project, uses("node_types", "Car"), 20)).rejects.toThrow(StatementTimeout);
  });

  it("never exceed the limit, however many processes add the last ones at once", async () => {
    const [limit, more] = isLongRun() ? [25, 15] : [5, 7];
    const project = projectOf({ relationship_types: limit });
    const outcomes = await Promise.allSettled(
      range(limit + more).map((i) => open().reserve(project, uses("relationship_types", `T${i}`))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(limit);
    expect((await listed(project))["relationship_types"]).toHaveLength(limit);
  });

  it("of a graph that is older than its list are counted first; nothing is refused meanwhile for good", async () => {
    const project = projectOf({ property_names: 4, node_types: 2 });
    const label = projectLabel(project.pk as never); // a key of `projectOf`
    const text = `UNWIND range(1, $count) AS i
CREATE (n:_Node:$($labels) {_key: $pk + '/Car/' + i, type: 'Car', id: $pk + i, external_id: toString(i)})
SET n += $fields
WITH collect(n) AS nodes
UNWIND range(0, 98) AS i
WITH nodes[i] AS a, nodes[i + 1] AS b CREATE (a)-[:DRIVES {since: 1, _create_time: 'x'}]->(b)`;
    const fields = {
      color: "red",
      "color.update_time": "x",
      "color.metadata.source": "s",
      "color.metadata.page": 1,
      "_p.id": 2,
      is_identity: false,
    };
    const labels = [label, `Car__${project.pk}`, `Red__${project.pk}`];
    // More than the 2,000 nodes that one statement looks at.
    const params = { pk: project.pk, count: isLongRun() ? 4_500 : 2_100, labels, fields };
    await graph.shared.write((tx) => tx.run(text, params), options);
    const names = open();
    // The count is not complete yet: the list seems to be empty.
    await names.reserve(project, uses("property_names", "more"));
    await names.settled();
    expect(await listed(project)).toMatchObject({
      property_names: expect.arrayContaining(["more", "color", "color.metadata.page", "_p.id", "since"]),
      relationship_types: ["DRIVES"],
      node_types: expect.arrayContaining(["Car", "Red"]),
      counted: true,
    });
    expect((await listed(project))["property_names"]).toHaveLength(5);
    // What the graph has may be written, though the project has more than it may have.
    await open().reserve(project, uses("property_names", "color", "_p.id"));
    await expect(open().reserve(project, uses("property_names", "another"))).rejects.toMatchObject({
      code: "unprocessable",
    });
  });
});

describe("the names of an organization", () => {
  const organizationNames = { property_names: 4, relationship_types: 3, node_types: 3 };

  it("outlive its projects, and a name that one of them had costs the next one nothing", async () => {
    const organizationId = newGid("organization");
    const names = open();
    const create = () => projectOf({}, { organizationId, organizationNames });
    const first = create();
    await names.reserve(first, uses("property_names", "a", "b", "c"));
    await forget(first);
    const second = create();
    await names.reserve(second, uses("property_names", "a", "b", "c", "d"));
    await expect(names.reserve(second, uses("property_names", "e"))).rejects.toMatchObject({
      code: "unprocessable",
      errors: [
        "nodes[0]: the projects of the organization, deleted ones included, have 4 property names and cannot take 1 more: e (limit ORGANIZATION_PROPERTY_NAMES, 4)",
      ],
    });
    await names.reserve(projectOf(), uses("property_names", "e"));
  });

  it("count a node type once for each project that has it, and lines are judged one by one", async () => {
    const organizationId = newGid("organization");
    const names = open();
    const create = () => projectOf({}, { organizationId, organizationNames });
    const first = create();
    await names.reserve(first, uses("node_types", "A", "B"));
    await forget(first);
    const refusals = await names.reserveEach(create(), uses("node_types", "A", "A", "B"));
    expect(refusals).toEqual([
      [],
      [],
      [expect.stringMatching(/have 3 node types .*ORGANIZATION_NODE_TYPES, 3/)],
    ]);
  });

  it("count a node type once that is reserved while the graph that has it is counted", async () => {
    const organizationId = newGid("organization");
    const project = projectOf({}, { organizationId, organizationNames });
    const labels = [projectLabel(project.pk as never), `A__${project.pk}`]; // a key of `projectOf`
    const text = "CREATE (:_Node:$($labels) {_key: $pk + '/A/1', type: 'A', id: $pk, external_id: '1'})";
    await graph.shared.write((tx) => tx.run(text, { pk: project.pk, labels }), options);
    const names = open();
    // The list seems to be empty: the type that the graph has is reserved as a new one.
    await names.reserve(project, uses("node_types", "A"));
    await names.settled();
    expect(await listed(project)).toMatchObject({ node_types: ["A"], counted: true });
    for (const type of ["B", "C"]) await names.reserve(project, uses("node_types", type));
    await expect(names.reserve(project, uses("node_types", "D"))).rejects.toMatchObject({
      errors: [expect.stringMatching(/have 3 node types .*ORGANIZATION_NODE_TYPES, 3/)],
    });
  });

  it("take along what a project listed before", async () => {
    const organizationId = newGid("organization");
    const project = projectOf({}, { organizationId, organizationNames });
    await graph.shared.write(
      (tx) =>
        tx.run(
          `CREATE (:${projectNamesLabel} {key: $key, count_time: 1, property_names: [], relationship_types: ["R", "S", "T"], node_types: ["A"]})`,
          { key: projectNamesKey(project.id) },
        ),
      options,
    );
    const names = open();
    await names.reserve(project, uses("property_names", "a"));
    const other = projectOf({}, { organizationId, organizationNames });
    await names.reserve(other, uses("relationship_types", "R", "S"));
    await expect(names.reserve(other, uses("relationship_types", "U"))).rejects.toMatchObject({
      code: "unprocessable",
    });
  });
});
