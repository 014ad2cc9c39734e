import { afterEach, describe, expect, it } from "@jest/globals";
import { answer, type Behaviour, closeServers, TestServer } from "../../test/server.ts";
import { IkgAdmin } from "./ikg-admin.ts";

afterEach(closeServers);

const project = "gid:AAAAAgAAAAAAAAAAAAAAAAAAAAI";

/** A node for every path; two pages of a list. */
const suite: Behaviour = (response, request) => {
  const { pathname, searchParams } = new URL(request.path, "http://suite");
  const isList = pathname.endsWith("/nodes") || pathname.endsWith("/neighbours");
  if (!isList) answer(200, { external_id: pathname })(response, request);
  else if (searchParams.get("cursor") === null)
    answer(200, { items: [1, 2], has_more: true, next_cursor: "c" })(response, request);
  else answer(200, { items: [3], has_more: false, next_cursor: "" })(response, request);
};

const open = async () => {
  const server = await TestServer.start(suite);
  const { graph } = new IkgAdmin({ baseUrl: server.baseUrl, token: "t", project });
  return { graph, paths: () => server.received.map(({ path }) => path) };
};

describe("the graph of an administrator", () => {
  it("is listed page by page, with filters and the size of pages", async () => {
    const { graph, paths } = await open();
    const nodes = graph.nodes({ type: "Person", prefix: "a&b", pageSize: 2 });
    expect(await nodes.toArray()).toEqual([1, 2, 3]);
    const query = `type=Person&prefix=a%26b&project_id=${encodeURIComponent(project)}`;
    expect(paths()).toEqual([
      `/graph/v1/nodes?${query}&limit=2`,
      `/graph/v1/nodes?${query}&cursor=c&limit=2`,
    ]);
  });

  it("names nodes in paths, whatever their ids hold", async () => {
    const { graph, paths } = await open();
    const scope = `project_id=${encodeURIComponent(project)}`;
    await graph.node({ type: "Person", external_id: "a/b?c#d%" });
    await graph.node({ type: "Person", external_id: ".." });
    expect(paths()).toEqual([
      `/graph/v1/nodes/Person/a%2Fb%3Fc%23d%25?${scope}`,
      `/graph/v1/nodes/Person/_?external_id=..&${scope}`,
    ]);
  });

  it("has a schema", async () => {
    const { graph, paths } = await open();
    await graph.schema();
    expect(paths()).toEqual([`/data-schema/v1?project_id=${encodeURIComponent(project)}`]);
  });

  it("has the neighbours of a node by types and direction", async () => {
    const { graph, paths } = await open();
    const found = graph.neighbours(
      { type: "Person", external_id: "." },
      { types: ["KNOWS", "OWNS"], direction: "out", cursor: "c" },
    );
    expect(await found.toArray()).toEqual([3]);
    expect(paths()).toEqual([
      `/graph/v1/nodes/Person/_/neighbours?external_id=.&types=KNOWS%2COWNS&direction=out&project_id=${encodeURIComponent(project)}&cursor=c`,
    ]);
  });
});
