import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectKey, projectLabel } from "@ikg/physical";
import { keyRing } from "@ikg/secrets";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { openGraphRemovals } from "../src/graphs/removals.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Tenant } from "./tenant.ts";
import { populate, type Population } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
});
afterAll(() => configs.close());

const options = { timeoutMs: 80_000 };
const rows = (text: string, params: Record<string, unknown> = {}) =>
  configs.graph.shared.read(text, params, options);

const keyOf = async (project: string): Promise<string> => {
  const [row] = await rows("MATCH (p:_Record {id: $project}) RETURN p.pk AS pk", { project });
  return String(row?.["pk"]);
};
const labelOf = (pk: string): string => projectLabel(projectKey(pk));
const systemNodes = (pk: string) =>
  rows(
    `MATCH (n:_Node:${labelOf(pk)}) OPTIONAL MATCH (n)-[r:_BELONGS_TO]->(o) RETURN n._key AS key, labels(n) AS labels, ` +
      "properties(n) AS properties, o._key AS owner ORDER BY key",
  );
const gone = async ({ samples }: Population, paths: readonly string[]): Promise<void> => {
  for (const { path, made } of samples)
    expect([path, (await tenant.send("GET", `${path}/${made.id}`)).status]).toEqual([
      path,
      paths.includes(path) ? 404 : 200,
    ]);
};

describe("system nodes", () => {
  it("are written with the record, linked, and removed with it", async () => {
    const { project, application, agent, server } = await populate(tenant);
    await tenant.send("DELETE", `/mcp-servers/${server.id}`);
    const pk = await keyOf(project.id);
    expect(await systemNodes(pk)).toEqual([
      {
        key: `${pk}/_AppAgent/${agent.id}`,
        labels: expect.arrayContaining(["_Node", `_P__${pk}`, `_AppAgent__${pk}`]),
        properties: expect.objectContaining({
          _key: `${pk}/_AppAgent/${agent.id}`,
          external_id: agent.id,
          type: "_AppAgent",
          is_identity: false,
          create_time: agent.body["create_time"],
        }),
        owner: `${pk}/_Application/${application.id}`,
      },
      {
        key: `${pk}/_Application/${application.id}`,
        labels: expect.arrayContaining(["_Node", `_P__${pk}`, `_Application__${pk}`]),
        properties: expect.objectContaining({ external_id: application.id, type: "_Application" }),
        owner: null,
      },
    ]);
    const [node] = await systemNodes(pk);
    expect(node?.["properties"]).toMatchObject({ id: expect.stringMatching(/^gid:AAAAFA/) });
    await tenant.send("DELETE", `/application-agents/${agent.id}`);
    expect((await systemNodes(pk)).map((each) => each["key"])).toEqual([
      `${pk}/_Application/${application.id}`,
    ]);
    await tenant.send("DELETE", `/applications/${application.id}`);
    expect(await systemNodes(pk)).toEqual([]);
  });
});

describe("renaming", () => {
  it("gives the system node another display name and nothing else", async () => {
    const { project, application, agent } = await populate(tenant);
    const pk = await keyOf(project.id);
    const label = async (id: string): Promise<Record<string, unknown>> => {
      const nodes = await systemNodes(pk);
      return nodes.find((node) => String(node["key"]).endsWith(`/${id}`))?.["properties"] as Record<
        string,
        unknown
      >; // the statement's own column
    };
    for (const [path, made] of [
      ["/applications", application],
      ["/application-agents", agent],
    ] as const) {
      const before = await label(made.id);
      const [field] = Object.entries(before).find(([key]) => key.endsWith("display_name")) ?? [""];
      expect(before[field]).toBe(made.name);
      const named = await tenant.send("PUT", `${path}/${made.id}`, { display_name: "Grüße 'x'" });
      expect(await label(made.id)).toEqual({
        ...before,
        [field]: "Grüße 'x'",
        update_time: named.body["update_time"],
      });
      await tenant.send("PUT", `${path}/${made.id}`, { description: "no new name" });
      expect((await label(made.id))["update_time"]).toBe(named.body["update_time"]);
      await tenant.send("PUT", `${path}/${made.id}`, { display_name: "" });
      expect((await label(made.id))[field]).toBe(made.name);
    }
    expect(await systemNodes(pk)).toHaveLength(2);
  });

  it("in vain changes no node", async () => {
    const { project, application } = await populate(tenant);
    const pk = await keyOf(project.id);
    const before = await systemNodes(pk);
    const stale = await tenant.send(
      "PUT",
      `/applications/${application.id}`,
      { display_name: "Other" },
      { "if-match": '"old"' },
    );
    expect([stale.status, await systemNodes(pk)]).toEqual([412, before]);
  });
});

describe("deleting", () => {
  it("takes along what an application contains, and nothing else", async () => {
    const population = await populate(tenant);
    const pk = await keyOf(population.project.id);
    const other = await tenant.make("/applications", {
      project_id: population.project.id,
      name: freshName(),
    });
    expect((await tenant.send("DELETE", `/applications/${population.application.id}`)).body).toEqual({
      id: population.application.id,
    });
    await gone(population, ["/applications", "/application-agents", "/application-agent-credentials"]);
    expect((await systemNodes(pk)).map((each) => each["key"])).toEqual([`${pk}/_Application/${other.id}`]);
    for (const { id } of [population.application, population.agent, population.credential])
      expect((await configs.changesOf(id, 2)).map((change) => change["action"])).toEqual([
        "created",
        "deleted",
      ]);
  });

  it("takes along everything of a project with its graph data, without being blocked, and nothing of another", async () => {
    const population = await populate(tenant);
    const kept = await populate(tenant);
    const pk = await keyOf(population.project.id);
    const keptKey = await keyOf(kept.project.id);
    await configs.graph.shared.write(
      (tx) =>
        tx.run(
          `UNWIND range(1, 2500) AS i CREATE (n:_Node:${labelOf(pk)} {_key: $pk + '/Car/' + toString(i), id: $pk + toString(i)}) ` +
            `WITH n MATCH (a:${labelOf(pk)}:_Application__${pk}) CREATE (a)-[:OWNS]->(n)`,
          { pk },
        ),
      options,
    );
    expect((await tenant.send("DELETE", `/projects/${population.project.id}`)).status).toBe(200);
    await gone(
      population,
      population.samples.map((sample) => sample.path).filter((path) => !path.startsWith("/service-account")),
    );
    expect(await rows(`MATCH (n:${labelOf(pk)}) RETURN n.id`)).toEqual([]);
    expect(await rows("MATCH (n:_GraphRemoval {pk: $pk}) RETURN n.pk AS pk", { pk })).toEqual([{ pk }]);
    expect(
      await rows("MATCH (r:_Record) WHERE r.project_id = $id RETURN r.id", { id: population.project.id }),
    ).toEqual([]);
    await gone(kept, []);
    expect(await systemNodes(keptKey)).toHaveLength(2);
  });

  it("leaves nothing behind when parts are made meanwhile", async () => {
    for (let round = 0; round < 4; round++) {
      const project = await tenant.project();
      const application = await tenant.make("/applications", { project_id: project.id, name: "app" });
      const makes = Array.from({ length: 6 }, (_, i) =>
        tenant.send("POST", "/application-agents", {
          application_id: application.id,
          name: `agent-${i}`,
          api_permissions: ["Capture"],
        }),
      );
      const [removed, ...made] = await Promise.all([
        tenant.send("DELETE", `/projects/${project.id}`),
        ...makes,
      ]);
      expect(removed?.status).toBe(200);
      for (const { status } of made) expect([201, 404]).toContain(status);
      expect(
        await rows("MATCH (r:_Record) WHERE r.project_id = $id RETURN r.id", { id: project.id }),
      ).toEqual([]);
    }
  });

  it("lets one of two have its way with one ETag", async () => {
    const project = await tenant.project();
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        tenant.send("DELETE", `/projects/${project.id}`, undefined, { "if-match": project.etag }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  });

  it.each([
    ["*", 200],
    [(etag: string) => etag, 200],
    [(etag: string) => etag.replaceAll('"', ""), 200],
    [(etag: string) => `"other", ${etag}`, 200],
    [(etag: string) => `W/${etag}`, 412],
    [(etag: string) => `${etag.slice(0, -1)}x"`, 412],
    ["", 412],
  ])("honours If-Match %s", async (header, status) => {
    const project = await tenant.project();
    const value = typeof header === "string" ? header : header(project.etag);
    const answer = await tenant.send("DELETE", `/projects/${project.id}`, undefined, { "if-match": value });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(
      status === 200
        ? { id: project.id }
        : {
            message: "Precondition Failed",
            errors: ["If-Match: does not match the record's current ETag; read the record again"],
          },
    );
  });
});

/** Other configs that start and end; each resumes the removals that are noted. @returns ends them */
const startOthers = (): (() => Promise<void>) => {
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      const other = await startConfigs();
      await wait(5_000, undefined, { signal: over.signal }).catch(() => undefined);
      await other.close();
    }
  })();
  return async () => {
    over.abort();
    await running;
  };
};

describe("graph data of a deleted project", () => {
  it.each([
    [
      "nodes with large values",
      // 300 KB each, ten at a time: a transaction of 128 MiB holds few hundred of them.
      "UNWIND range(1, 10) AS i CREATE (:_Node:$label {_key: randomUUID(), id: randomUUID(), text: $large + randomUUID()})",
      100,
    ],
    [
      "a node with very many relationships",
      "MERGE (hub:_Node:$label {_key: $pk + '/hub', id: $pk + 'hub'}) WITH hub UNWIND range(1, 10000) AS i CREATE (hub)-[:KNOWS {since: i}]->(hub)",
      60,
    ],
  ])(
    "goes although a transaction has no memory for it at once, and other processes resume its removal: %s",
    async (_what, text, times) => {
      const project = await tenant.project();
      const pk = await keyOf(project.id);
      const statement = text.replaceAll("$label", labelOf(pk));
      const large = "x".repeat(300_000);
      for (let n = 0; n < times; n++)
        await configs.graph.shared.write((tx) => tx.run(statement, { pk, large }), options);
      const removed = await tenant.send("DELETE", `/projects/${project.id}`);
      expect(removed.status).toBe(200);
      const endOthers = startOthers();
      try {
        await eventually(
          () => rows(`MATCH (n:${labelOf(pk)}) RETURN count(n) AS count`),
          ([row]) => Number(row?.["count"]) === 0,
          // As long as a machine with other work takes for 600,000 relationships.
          { withinMs: 240_000, everyMs: 500 },
        );
      } finally {
        await endOthers();
      }
    },
    400_000,
  );

  it("goes after a restart, also what was captured late", async () => {
    const project = await tenant.project();
    const pk = await keyOf(project.id);
    const capture = (key: string): Promise<unknown> =>
      configs.graph.shared.write(
        (tx) => tx.run(`CREATE (:_Node:${labelOf(pk)} {_key: $key, id: $key})`, { key }),
        options,
      );
    await configs.graph.shared.write(
      (tx) => tx.run("CREATE (:_GraphRemoval {project_id: $id, pk: $pk})", { id: project.id, pk }),
      options,
    );
    await capture(`${pk}/Car/1`);
    const staged = () =>
      rows(
        "MATCH (n:_Import|_ImportChunk|_ImportRejection|_ProjectNames) WHERE $id IN [n.project_id, split(n.key, '/')[0]] RETURN n.key",
        {
          id: project.id,
        },
      );
    await configs.graph.shared.write(
      (tx) =>
        tx.run(
          `CREATE (:_Import {id: $id + 'i', project_id: $id}), (:_ImportRejection {key: $id + '/i/1'}),
             (:_ProjectNames {key: $id + '/names'})
           WITH 1 AS one UNWIND range(1, 120) AS i CREATE (:_ImportChunk {key: $id + '/i/' + i})`,
          { id: project.id },
        ),
      options,
    );
    expect(await staged()).toHaveLength(123);
    const removals = openGraphRemovals({
      graph: configs.graph,
      keys: keyRing(randomBytes(32), []),
      log: { info: () => 0, warn: () => 0 },
      graceMs: 500,
    });
    const nodes = () => rows(`MATCH (n:${labelOf(pk)}) RETURN n.id`);
    const notes = () => rows("MATCH (n:_GraphRemoval {pk: $pk}) RETURN n.pk", { pk });
    const gone = async (look: () => Promise<readonly unknown[]>): Promise<void> => {
      // A call of resume begins some of the removals, in any order; tests leave others.
      const remaining = async (): Promise<readonly unknown[]> => {
        const found = await look();
        if (found.length > 0) await removals.resume();
        return found;
      };
      await eventually(remaining, (found) => found.length === 0, { withinMs: 5_000, everyMs: 20 });
    };
    await gone(nodes);
    await gone(staged);
    await capture(`${pk}/Car/2`);
    await gone(nodes);
    await gone(notes);
    await removals.close();
  });
});
