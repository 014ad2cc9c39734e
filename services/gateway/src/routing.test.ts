import { describe, expect, it } from "@jest/globals";
import { operations } from "@ikg/contracts";
import { routesOf } from "./routing.ts";

const match = routesOf(operations);
const operation = (method: string, url: string): string => {
  const found = match(method, url);
  return found.kind === "operation" ? found.operation.operation : found.kind;
};

describe("routes", () => {
  it("find every operation by its own method and path, with and without a trailing slash", () => {
    for (const { method, path, operation: name } of operations) {
      const url = path.replaceAll(/:[a-z]+/g, "gid%3Aabc");
      expect(operation(method.toUpperCase(), url)).toBe(name);
      expect(operation(method.toUpperCase(), `${url}/?a=/b/`)).toBe(name);
    }
  });

  it("are unique", () => {
    const keys = operations.map(({ method, path }) => `${method} ${path.replaceAll(/:[a-z]+/g, ":")}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("prefer a fixed segment to a parameter", () => {
    expect(operation("GET", "/configs/v1/organizations/current")).toBe("current_organization");
    expect(operation("GET", "/configs/v1/organizations/currents")).toBe("read_organization");
    expect(operation("HEAD", "/configs/v1/organizations/current")).toBe("current_organization");
  });

  it("take the longest external id as a segment", () => {
    const id = encodeURIComponent("\u{1f600}".repeat(256));
    expect(operation("GET", `/graph/v1/nodes/Person/${id}`)).toBe("read_node");
    expect(operation("GET", `/graph/v1/nodes/Person/${id}/neighbours`)).toBe("list_neighbours");
    expect(operation("GET", `/graph/v1/nodes/Person/${id}x`)).toBe("not_found");
  });

  it("leave a malformed segment to the service", () => {
    expect(operation("GET", "/configs/v1/projects/%")).toBe("read_project");
    expect(operation("GET", "/configs/v1/organizations/curren%74")).toBe("read_organization");
  });

  it("reach a record that is called like an endpoint beside it", () => {
    expect(operation("POST", "/configs/v1/knowledge-queries/validate")).toBe("validate_knowledge_query");
    expect(operation("GET", "/configs/v1/knowledge-queries/validate")).toBe("read_knowledge_query");
    expect(operation("PATCH", "/configs/v1/knowledge-queries/validate")).toBe("method_not_allowed");
  });

  it.each([
    "",
    "*",
    "/",
    "//",
    "http://example.com/ciq/v1/execute",
    "/ciq/v1/execute//",
    "//ciq/v1/execute",
    "/ciq/v1/./execute",
    "/configs/v1/../ciq/v1/execute",
    "/CIQ/v1/execute",
    "/configs/v1/projects//x",
    "/configs/v1/projects/a/b",
    "/configs/v1",
    "/configs/v1/organizations/current#frag",
    "/ciq/v1/execute#?x",
    "/%63iq/v1/execute",
  ])("do not take %j", (url) => {
    expect(operation("POST", url)).toBe("not_found");
  });

  it("tell what is allowed instead of another method", () => {
    expect(match("PATCH", "/configs/v1/projects/x")).toEqual({
      kind: "method_not_allowed",
      allow: expect.stringContaining("GET, HEAD"),
    });
    expect(operation("constructor", "/ciq/v1/execute")).toBe("method_not_allowed");
    expect(match("PATCH", "/configs/v1/knowledge-queries/validate")).toEqual({
      kind: "method_not_allowed",
      allow: "POST, GET, HEAD, PUT, DELETE",
    });
  });
});
