import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin, type IkgError } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { newAccount } from "../../src/console/account.ts";
import { environment } from "../../src/environment.ts";
import { send } from "../../src/requests/send.ts";

/** GET /data-schema/v1 for administrators, who name the project. */
const address = () => ({ baseUrl: environment().base_url, token: environment().service_account_token });

const ann = { type: "Person", external_id: "ann" };
const atlas = { type: "Book", external_id: "atlas" };

let project: TestProject;
let empty: TestProject;

beforeAll(async () => {
  const graph = { nodes: [ann, atlas], relationships: [{ source: ann, type: "READS", target: atlas }] };
  project = await createTestProject({ ...address(), name: "data-schema", graph });
  empty = await createTestProject({ ...address(), name: "data-schema-empty" });
}, 60_000);
afterAll(async () => {
  await project?.remove();
  await empty?.remove();
});

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, code, errors }: IkgError) => ({ status, code, errors }),
  );

const withKey = (query: string) =>
  send(`/data-schema/v1${query}`, { headers: { "X-SVC-ClientKey": project.clientKey } });

describe("the data schema of an administrator", () => {
  it("counts types of nodes and relationships of the project that is named", async () => {
    const { graph } = await project.admin.graph.schema();
    expect(Object.entries(graph.nodes).map(([type, { metadata }]) => [type, metadata.node_count])).toEqual([
      ["Book", 1],
      ["Person", 1],
    ]);
    expect(graph.edges.map(({ source, relation, target }) => [source, relation, target])).toEqual([
      ["Person", "READS", "Book"],
    ]);
    expect((await withKey("")).body).toEqual({ graph });
  });

  it("is none of a graph without nodes, nor of a project that is not there", async () => {
    expect(await refusal(empty.admin.graph.schema())).toMatchObject({
      status: 404,
      errors: ["graph: nothing captured yet"],
    });
    const unknown = project.id.replace(/.{4}$/, "AAAA");
    expect(await refusal(project.admin.graph.schema({ project: unknown }))).toMatchObject({ status: 404 });
  });

  it("needs the project's name from an administrator; a key has one", async () => {
    const { token } = address();
    const unnamed = await send("/data-schema/v1", { headers: { Authorization: `Bearer ${token}` } });
    expect([unnamed.status, unnamed.text]).toEqual([400, expect.stringContaining("project_id: required")]);
    expect((await withKey(`?project_id=${encodeURIComponent(project.id)}`)).status).toBe(200);
    expect((await withKey(`?project_id=${encodeURIComponent(empty.id)}`)).status).toBe(400);
  });

  it("is not for the role auditor", async () => {
    const account = await newAccount("auditor");
    try {
      const { baseUrl } = address();
      const admin = new IkgAdmin({ baseUrl, token: account.token, project: project.id });
      expect(await refusal(admin.graph.schema())).toMatchObject({ status: 403, code: "role_missing" });
    } finally {
      await account.remove();
    }
  });
});
