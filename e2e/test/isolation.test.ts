import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { capture, type Graph } from "../src/capture.ts";
import { openAdmin } from "../src/clients.ts";
import { configs } from "../src/configs.ts";
import { environment } from "../src/environment.ts";
import { evaluate } from "../src/evaluate.ts";
import { execute, tryExecute } from "../src/execute.ts";
import { inParallel } from "../src/in-parallel.ts";
import { requireRefusal } from "../src/refusal.ts";
import { savePolicy } from "../src/save-policy.ts";
import { saveQuery, trySaveQuery } from "../src/save-query.ts";
import { searchResource, trySearchResource } from "../src/search-resource.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { createTokenIssuer } from "../src/token-issuer.ts";

/**
 * Two projects whose nodes have the same types and ids, and whose relationships have the same ends and types; only
 * the property `mark` says whose a node or relationship is. What one has besides, the other must never see.
 */
type Side = "left" | "right";
const sides: readonly Side[] = ["left", "right"];

const ref = (type: string, external_id: string) => ({ type, external_id });
const ann = ref("Person", "ann");
const bob = ref("Person", "bob");
const car = ref("Car", "car");
const bus = ref("Bus", "bus");

const graphOf = (mark: Side): Graph => {
  const properties = [{ type: "mark", value: mark }];
  const edge = (source: typeof ann, type: string, target: typeof ann) => ({
    source,
    type,
    target,
    properties,
  });
  const own = ref("Person", `only-${mark}`);
  return {
    nodes: [ann, bob, car, bus, own].map((each) => ({ ...each, properties })),
    relationships: [
      edge(ann, "KNOWS", bob),
      edge(bob, "OWNS", car),
      edge(own, "OWNS", bus),
      // Only on the left, between nodes that both have.
      ...(mark === "left" ? [edge(ann, "OWNS", bus)] : []),
    ],
  };
};

const projects = new Map<Side, Tenant>();
const of = (side: Side): Tenant => {
  const tenant = projects.get(side);
  if (tenant === undefined) throw new Error(`the project ${side} was not made`);
  return tenant;
};

/** Granted on the left. */
const boarding = {
  subject: { type: "Person", id: "ann" },
  action: { name: "BOARD" },
  resource: { type: "Bus", id: "bus" },
};

beforeAll(async () => {
  await Promise.all(
    sides.map(async (side) => {
      const tenant = await createTenant("isolation");
      projects.set(side, tenant);
      await capture(graphOf(side), tenant);
    }),
  );
}, 60_000);
afterAll(async () => {
  for (const tenant of projects.values()) await tenant.remove();
});

describe("decisions and searches", () => {
  const kbac = (action: string, cypher: string, resource: string) => ({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: resource },
    condition: { cypher },
  });
  const asking = (action: string, tag?: string) => ({
    subject: { type: "Person", id: "ann" },
    action: { name: action },
    resource: { type: "Bus", id: "bus" },
    ...(tag === undefined ? {} : { context: { policy_tags: [tag] } }),
  });
  /** Conditions that would be true on the right if it saw the left: ann owns the bus there alone. */
  const conditions: readonly (readonly [string, string])[] = [
    ["DIRECT", "MATCH (subject:Person)-[:OWNS]->(resource:Bus)"],
    ["BARE", "MATCH (subject)-->(resource)"],
    ["UNDIRECTED", "MATCH (subject)-[:OWNS]-(resource)"],
    ["LONG", "MATCH (subject)-[:OWNS*1..2]-(resource)"],
    ["ANY", "MATCH (subject)-[]-(x), (resource) WHERE x = resource"],
    ["EXISTS", "MATCH (subject:Person), (resource:Bus) WHERE EXISTS { (subject)-[:OWNS]->(resource) }"],
    ["PREDICATE", "MATCH (subject:Person), (resource:Bus) WHERE (subject)-[:OWNS]->(resource)"],
    ["COUNTED", "MATCH (subject:Person), (resource:Bus) WHERE COUNT { (subject)-[:OWNS]->() } > 0"],
    ["LISTED", "MATCH (subject:Person), (resource:Bus) WHERE 'bus' IN [(subject)-->(x) | x.external_id]"],
    ["MARKED", "MATCH (subject:Person), (resource:Bus), (x) WHERE x.external_id = 'only-left'"],
    ["NEGATED", "MATCH (subject:Person), (resource:Bus), (x:!Car&!Bus) WHERE x.external_id = 'only-left'"],
  ];

  beforeAll(async () => {
    await inParallel(
      sides.flatMap((side) => conditions.map((condition) => [side, ...condition] as const)),
      ([side, tag, cypher]) =>
        savePolicy(of(side).projectId, { policy: kbac("BOARD", cypher, "Bus"), tags: [tag] }),
    );
  }, 60_000);

  it.each(conditions)("%s is true on the left and false on the right", async (tag) => {
    expect(await evaluate(asking("BOARD", tag), of("left"))).toEqual({ decision: true });
    expect(await evaluate(asking("BOARD", tag), of("right"))).toEqual({ decision: false });
  });

  it("a search finds on the left and nothing on the right", async () => {
    for (const tag of ["DIRECT", "LONG", "NEGATED"]) {
      expect(await searchResource(asking("BOARD", tag), of("left"))).toEqual({
        results: [{ type: "Bus", id: "bus" }],
      });
      expect(await searchResource(asking("BOARD", tag), of("right"))).toEqual({ results: [] });
    }
  });

  it("no subject is known by an id of the other side", async () => {
    for (const side of sides) {
      const other = side === "left" ? "right" : "left";
      const asked = (id: string) => ({
        subject: { type: "Person", id },
        action: { name: "BOARD" },
        resource: { type: "Bus", id: "bus" },
        context: { policy_tags: ["DIRECT"] },
      });
      expect(await evaluate(asked(`only-${side}`), of(side))).toEqual({ decision: true });
      expect(await evaluate(asked(`only-${other}`), of(side))).toEqual({ decision: false });
    }
  });

  it("a policy of one side decides nothing on the other", async () => {
    const cypher = "MATCH (subject:Person), (resource:Car)";
    await savePolicy(of("left").projectId, { policy: kbac("LEFT_ONLY", cypher, "Car") });
    const asked = {
      subject: { type: "Person", id: "ann" },
      action: { name: "LEFT_ONLY" },
      resource: { type: "Car", id: "car" },
    };
    expect(await evaluate(asked, of("left"))).toEqual({ decision: true });
    expect(await evaluate(asked, of("right"))).toEqual({ decision: false });
  });

  it("a page token of one side is refused by the other", async () => {
    const cypher = "MATCH (subject:Person), (resource:Person)";
    for (const side of sides)
      await savePolicy(of(side).projectId, { policy: kbac("PAGED", cypher, "Person") });
    const searched = {
      subject: { type: "Person", id: "ann" },
      action: { name: "PAGED" },
      resource: { type: "Person" },
    };
    const { page } = await searchResource({ ...searched, page: { limit: 1 } }, of("left"));
    const further = { ...searched, page: { limit: 1, token: page?.next_token } };
    expect((await searchResource(further, of("left"))).results).toEqual([{ type: "Person", id: "bob" }]);
    requireRefusal(await trySearchResource(further, of("right")), 400);
  });
});

describe("queries", () => {
  interface Pattern {
    readonly cypher: string;
    readonly reads: Readonly<Record<string, readonly string[]>>;
    /** Rows on either side; `mark` stands for the side. */
    readonly rows: (mark: Side) => readonly object[];
  }
  const marks = (count: number) => (mark: Side) =>
    Array.from({ length: count }, () => ({ nodes: { "x.property.mark": mark } }));
  const marked = { nodes: ["x.property.mark"] };
  const value = (of: (mark: Side) => unknown) => (mark: Side) => [
    { nodes: {}, aggregate_values: { value: of(mark) } },
  ];
  const aggregated = { aggregate_values: ["value"] };
  /** Relationships of the left, which has one more than the right. */
  const edges = (mark: Side): number => (mark === "left" ? 4 : 3);
  /** Nodes besides the five of the graph: the application and its agent, which have no mark. */
  const systemNodes = 2;

  const patterns: Readonly<Record<string, Pattern>> = {
    "every node": {
      cypher: "MATCH (x) WHERE x.property.mark IS NOT NULL",
      reads: marked,
      rows: marks(5),
    },
    "every node counted": {
      cypher: "MATCH (x) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 5 + systemNodes),
    },
    "a negated label": {
      cypher: "MATCH (x:!_Application&!_AppAgent)",
      reads: marked,
      rows: marks(5),
    },
    "a label in a condition": { cypher: "MATCH (x) WHERE x:Person OR x:Car", reads: marked, rows: marks(4) },
    "every relationship": {
      cypher:
        "MATCH ()-[r]->() WHERE r.mark IS NOT NULL WITH subject, collect(DISTINCT r.mark) AS marks, count(r) AS number WITH subject, [marks, number] AS value",
      reads: aggregated,
      rows: value((mark) => [[mark], edges(mark)]),
    },
    "undirected relationships": {
      cypher: "MATCH (:Person)-[r]-(x) WITH subject, collect(DISTINCT x.property.mark) AS value",
      reads: aggregated,
      rows: value((mark) => [mark]),
    },
    "variable length": {
      cypher:
        "MATCH (:Person {external_id: 'ann'})-[*]-(x) WITH subject, collect(DISTINCT x.property.mark) AS value",
      reads: aggregated,
      rows: value((mark) => [mark]),
    },
    "a whole path": {
      cypher:
        "MATCH p = (:Person {external_id: 'ann'})-[:KNOWS|OWNS*2]->(x:Car) WITH subject, [n IN nodes(p) | n.property.mark] AS value",
      reads: aggregated,
      rows: value((mark) => [mark, mark, mark]),
    },
    EXISTS: {
      cypher: "MATCH (x:Person) WHERE EXISTS { (x)-[:OWNS]->(:Bus) }",
      reads: marked,
      rows: (mark) => marks(mark === "left" ? 2 : 1)(mark),
    },
    "EXISTS with a pattern of its own": {
      cypher: "MATCH (x:Car) WHERE EXISTS { MATCH (y) WHERE y.external_id = 'only-left' }",
      reads: marked,
      rows: (mark) => marks(mark === "left" ? 1 : 0)(mark),
    },
    "COUNT of anything": {
      cypher: "WITH subject, COUNT { (y)--(z) } AS value",
      reads: aggregated,
      // Both directions, and the agent that belongs to the application.
      rows: value((mark) => 2 * (edges(mark) + 1)),
    },
    "a pattern comprehension": {
      cypher: "MATCH (x:Bus) WITH subject, [(x)<-[:OWNS]-(y) | y.property.mark] AS value",
      reads: aggregated,
      rows: value((mark) => (mark === "left" ? ["left", "left"] : ["right"])),
    },
    "OPTIONAL MATCH": {
      cypher: "MATCH (x:Person {external_id: 'ann'}) OPTIONAL MATCH (x)-[:OWNS]->(y)",
      reads: { nodes: ["y.property.mark"] },
      rows: (mark) => [{ nodes: { "y.property.mark": mark === "left" ? "left" : null } }],
    },
    "an id looked up": {
      cypher: "MATCH (x {external_id: 'car'})",
      reads: marked,
      rows: marks(1),
    },
    "the other application": {
      cypher: "MATCH (x:_Application) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 1),
    },
    "the application's neighbours": {
      cypher: "MATCH (subject)-[*1..5]-(x) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 1),
    },
  };

  const rowsOf = async (side: Side, { cypher, reads }: Pattern): Promise<readonly object[]> => {
    const policyId = await savePolicy(of(side).projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: { cypher: `MATCH (subject:_Application) ${cypher}` },
        allowed_reads: reads,
      },
    });
    const id = await saveQuery(of(side).projectId, { policyId, query: reads });
    return execute({ id, page_size: 1_000 }, of(side));
  };

  it.each(Object.keys(patterns))("%s: each side sees its own", async (name) => {
    const pattern = patterns[name];
    if (pattern === undefined) throw new Error("no such pattern");
    const [left, right] = await Promise.all(sides.map((side) => rowsOf(side, pattern)));
    expect(left).toEqual(pattern.rows("left"));
    expect(right).toEqual(pattern.rows("right"));
  });
});

describe("records and keys", () => {
  const ciq = {
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application) MATCH (x:Car)" },
    allowed_reads: { nodes: ["x.property.mark"] },
  };
  const query = { nodes: ["x.property.mark"] };

  it("a query is found by name and id in its own project alone", async () => {
    const ids = new Map<Side, string>();
    for (const side of sides) {
      const policyId = await savePolicy(of(side).projectId, { name: "same-policy", policy: ciq });
      ids.set(side, await saveQuery(of(side).projectId, { name: "same-query", policyId, query }));
    }
    for (const side of sides) {
      const mine = ids.get(side) ?? "";
      const other = ids.get(side === "left" ? "right" : "left") ?? "";
      for (const id of ["same-query", mine])
        expect(await execute({ id }, of(side))).toEqual([{ nodes: { "x.property.mark": side } }]);
      expect(requireRefusal(await tryExecute({ id: other }, of(side)), 404)).toEqual([
        "id: knowledge query not found",
      ]);
    }
  });

  it("a policy of the other project cannot be used", async () => {
    const policyId = await savePolicy(of("left").projectId, { policy: ciq });
    requireRefusal(await trySaveQuery(of("right").projectId, { policyId, query }), 422);
  });

  it("lists and names belong to one project", async () => {
    const listed = (collection: "applications" | "agents" | "policies" | "queries", side: Side) =>
      openAdmin(of(side).projectId)[collection].list();
    for (const collection of ["applications", "agents", "policies", "queries"] as const) {
      const left = new Set((await listed(collection, "left")).map(({ id }) => id));
      for (const { id, project_id } of await listed(collection, "right")) {
        expect(left.has(id)).toBe(false);
        expect(project_id).toBe(of("right").projectId);
      }
    }
    for (const side of sides) {
      const answer = await configs(`/authorization-policies/same-policy?project_id=${of(side).projectId}`);
      expect(answer).toMatchObject({ status: 200, body: { project_id: of(side).projectId } });
    }
  });

  it("another organization does not exist", async () => {
    const { organization_id } = environment();
    expect((await configs(`/organizations/${organization_id}`)).status).toBe(200);
    const other = `${organization_id.slice(0, -4)}${organization_id.endsWith("AAAA") ? "BAAA" : "AAAA"}`;
    requireRefusal(await configs(`/organizations/${other}`), 404);
    requireRefusal(await configs(`/projects?organization_id=${other}`), 404);
    requireRefusal(await configs("/projects", { json: { organization_id: other, name: "elsewhere" } }), 404);
  });

  it("a token that one project trusts is nothing to the other", async () => {
    const issuer = await createTokenIssuer(of("left").projectId);
    const bearer = await issuer.sign("ann");
    const asked = boarding;
    expect(await evaluate(asked, { key: of("left").key, bearer })).toEqual({ decision: true });
    const by = { key: of("right").key, bearer };
    const answer = await trySearchResource(asked, by);
    requireRefusal(answer, 401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
  });
});

it("deleting one project leaves the other as it is", async () => {
  const gone = await createTenant("gone");
  await capture(graphOf("left"), gone);
  await gone.remove();
  requireRefusal(await trySearchResource({}, gone), 401);
  const asked = boarding;
  expect(await evaluate(asked, of("left"))).toEqual({ decision: true });
});
