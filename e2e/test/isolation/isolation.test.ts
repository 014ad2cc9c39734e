import { beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { storePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery, trySaveQuery } from "../../src/configuration/save-query.ts";
import { createTenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { describeQueries } from "../../src/fixtures/isolated-queries.ts";
import { graphOf, projectOf, type Side, sides, useTwinProjects } from "../../src/fixtures/twin-projects.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { evaluate, type Question } from "../../src/requests/evaluate.ts";
import { execute, tryExecute } from "../../src/requests/execute.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { searchResource, trySearchResource } from "../../src/requests/search-resource.ts";
import { send } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

useTwinProjects();

/** Granted on the left: by every condition in the long run, else by one whose statement is planned already. */
const boarding: Question = {
  subject: { type: "Person", id: "ann" },
  action: { name: "BOARD" },
  resource: { type: "Bus", id: "bus" },
  context: long<object | undefined>({ policy_tags: ["DIRECT"] }, undefined),
};

describe("decisions and searches", () => {
  const kbac = (actions: readonly string[], cypher: string, resource: string) => ({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions,
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
  const allConditions: readonly (readonly [string, string])[] = [
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
  const telling = allConditions.filter(([tag]) => ["DIRECT", "NEGATED"].includes(tag));
  const conditions = long(telling, allConditions);

  beforeAll(async () => {
    await inParallel(
      sides.flatMap((side) => conditions.map((condition) => [side, ...condition] as const)),
      ([side, tag, cypher]) =>
        storePolicy(projectOf(side).projectId, { policy: kbac(["BOARD"], cypher, "Bus"), tags: [tag] }),
    );
    await inParallel(sides, (side) => {
      const actions = side === "left" ? ["PAGED", "LEFT_ONLY"] : ["PAGED"];
      const anyPerson = kbac(actions, "MATCH (subject:Person), (resource:Person)", "Person");
      return storePolicy(projectOf(side).projectId, { policy: anyPerson });
    });
    await takeEffect();
  }, 60_000);

  it.each(conditions)("%s is true on the left and false on the right", async (tag) => {
    const decisions = await Promise.all(sides.map((side) => evaluate(asking("BOARD", tag), projectOf(side))));
    expect(decisions).toEqual([{ decision: true }, { decision: false }]);
  });

  it("a search finds on the left and nothing on the right", async () => {
    await inParallel(long(["NEGATED"], ["DIRECT", "LONG", "NEGATED"]), async (tag) => {
      expect(await searchResource(asking("BOARD", tag), projectOf("left"))).toEqual({
        results: [{ type: "Bus", id: "bus" }],
      });
      expect(await searchResource(asking("BOARD", tag), projectOf("right"))).toEqual({ results: [] });
    });
  });

  it("no subject is known by an id of the other side", async () => {
    for (const side of sides) {
      const other = side === "left" ? "right" : "left";
      const buildQuestion = (id: string) => ({
        subject: { type: "Person", id },
        action: { name: "BOARD" },
        resource: { type: "Bus", id: "bus" },
        context: { policy_tags: ["DIRECT"] },
      });
      expect(await evaluate(buildQuestion(`only-${side}`), projectOf(side))).toEqual({ decision: true });
      expect(await evaluate(buildQuestion(`only-${other}`), projectOf(side))).toEqual({ decision: false });
    }
  });

  it("a policy of one side decides nothing on the other", async () => {
    const request = {
      subject: { type: "Person", id: "ann" },
      action: { name: "LEFT_ONLY" },
      resource: { type: "Person", id: "bob" },
    };
    expect(await evaluate(request, projectOf("left"))).toEqual({ decision: true });
    expect(await evaluate(request, projectOf("right"))).toEqual({ decision: false });
  });

  it("a page token of one side is refused by the other", async () => {
    const searched = {
      subject: { type: "Person", id: "ann" },
      action: { name: "PAGED" },
      resource: { type: "Person" },
    };
    const { page } = await searchResource({ ...searched, page: { limit: 1 } }, projectOf("left"));
    const further = { ...searched, page: { limit: 1, token: page?.next_token } };
    expect((await searchResource(further, projectOf("left"))).results).toEqual([
      { type: "Person", id: "bob" },
    ]);
    requireRefusal(await trySearchResource(further, projectOf("right")), 400);
  });
});

// The other patterns are in isolation-queries.
describeQueries(["every relationship", "EXISTS with a pattern of its own"]);

describe("records and keys", () => {
  const ciq = {
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application) MATCH (x:Car)" },
    allowed_reads: { nodes: ["x.property.mark"] },
  };
  const query = { nodes: ["x.property.mark"] };
  const policyIds = new Map<Side, string>();
  const ids = new Map<Side, string>();

  beforeAll(async () => {
    await inParallel(sides, async (side) => {
      const { projectId } = projectOf(side);
      const policyId = await storePolicy(projectId, { name: "same-policy", policy: ciq });
      policyIds.set(side, policyId);
      ids.set(side, await saveQuery(projectId, { name: "same-query", policyId, query }));
    });
  });

  it("a query is found by name and id in its own project alone", async () => {
    for (const side of sides) {
      const mine = ids.get(side) ?? "";
      const other = ids.get(side === "left" ? "right" : "left") ?? "";
      for (const id of ["same-query", mine])
        expect(await execute({ id }, projectOf(side))).toEqual([{ nodes: { "x.property.mark": side } }]);
      expect(requireRefusal(await tryExecute({ id: other }, projectOf(side)), 404)).toEqual([
        "id: knowledge query not found",
      ]);
    }
  });

  it("a policy of the other project cannot be used", async () => {
    const policyId = policyIds.get("left") ?? "";
    requireRefusal(await trySaveQuery(projectOf("right").projectId, { policyId, query }), 422);
  });

  it("lists and names belong to one project", async () => {
    const listed = (collection: "applications" | "agents" | "policies" | "queries", side: Side) =>
      openAdmin(projectOf(side).projectId)[collection].list();
    for (const collection of ["applications", "agents", "policies", "queries"] as const) {
      const left = new Set((await listed(collection, "left")).map(({ id }) => id));
      for (const { id, project_id } of await listed(collection, "right")) {
        expect(left.has(id)).toBe(false);
        expect(project_id).toBe(projectOf("right").projectId);
      }
    }
    for (const side of sides) {
      const { projectId } = projectOf(side);
      const answer = await configs(`/authorization-policies/same-policy?project_id=${projectId}`);
      expect(answer).toMatchObject({ status: 200, body: { project_id: projectId } });
    }
  });

  it("an administrator reads nodes of the project that is named alone", async () => {
    const headers = { Authorization: `Bearer ${environment().service_account_token}` };
    const statusOf = async (id: string, side: Side) => {
      const whose = encodeURIComponent(projectOf(side).projectId);
      return (await send(`/graph/v1/nodes/Person/${id}?project_id=${whose}`, { headers })).status;
    };
    for (const side of sides) {
      const other = side === "left" ? "right" : "left";
      expect(await statusOf(`only-${side}`, side)).toBe(200);
      expect(await statusOf(`only-${other}`, side)).toBe(404);
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
    const issuer = await createTokenIssuer(projectOf("left").projectId);
    const bearer = await issuer.sign("ann");
    expect(await evaluate(boarding, { key: projectOf("left").key, bearer })).toEqual({ decision: true });
    const by = { key: projectOf("right").key, bearer };
    const answer = await trySearchResource(boarding, by);
    requireRefusal(answer, 401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
  });
});

it("deleting one project leaves the other as it is", async () => {
  const gone = await createTenant("gone");
  await capture(graphOf("left"), gone);
  await gone.remove();
  requireRefusal(await trySearchResource({}, gone), 401);
  expect(await evaluate(boarding, projectOf("left"))).toEqual({ decision: true });
});
