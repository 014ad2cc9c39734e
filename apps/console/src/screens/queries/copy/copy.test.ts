import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import type { DataSchema } from "@ikg/client";
import { queryTestOf } from "./query-test.ts";
import { testedTypes } from "./read-graph.ts";
import { clientCodeOfRun, curlOfRun } from "./request.ts";

const params = { reader: `o'hara "the" $HOME \`id\``, most: 3 };
const request = { name: "books", params, writes: false };
const options = { baseUrl: "http://127.0.0.1:8080", hasToken: true };

describe("a run as a command", () => {
  it("says what it shall, whatever the parameters are", () => {
    const script = `curl() { printf '%s\\n' "$@" | tail -1; }\n${curlOfRun(request, options)}`;
    const body = execFileSync("sh", ["-c", script], { encoding: "utf8" });
    expect(JSON.parse(body)).toEqual({ id: "books", input_params: params });
  });

  it("names credentials, and holds none", () => {
    expect(curlOfRun(request, options)).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(curlOfRun(request, { ...options, hasToken: false })).not.toContain("$TOKEN");
  });
});

describe("a run as code", () => {
  it.each([
    [request, options, "for await (const row of ikg.withToken("],
    [{ ...request, writes: true }, { ...options, hasToken: false }, "const { data } = await ikg.execute("],
  ])("is a module that can be parsed", (run, with_, expected) => {
    const code = clientCodeOfRun(run, with_);
    expect(code).toContain(expected);
    const body = code.split("\n").slice(1).join("\n");
    // Only parsed, never called.
    expect(() =>
      Reflect.construct(Object.getPrototypeOf(async () => undefined).constructor, [body]),
    ).not.toThrow();
  });
});

describe("a run as a policy test", () => {
  const policy = { meta: { policy_version: "1.0-ciq" }, subject: { type: "Reader" } };
  const parts = {
    query: { name: "books", text: '{"nodes": ["book"]}' },
    policy: { name: "may-read", text: JSON.stringify(policy) },
    params: { reader: "ann" },
    claims: { sub: "ann", auth_time: 5 },
    at: 0,
    nodes: [{ type: "Reader", external_id: "ann" }],
    relationships: [],
    rows: [
      { nodes: { "book.external_id": "b1", "book.create_time": "now" }, aggregate_values: { count: 2 } },
      { nodes: { "book.external_id": "b2", "book.create_time": "now" }, aggregate_values: { count: 3 } },
    ],
  };
  const testOf = (changes: object): unknown =>
    (JSON.parse(queryTestOf({ ...parts, ...changes })) as { tests: readonly unknown[] }).tests[0];

  it("holds the world, the claims and the rows, without what differs in each project", () => {
    expect(JSON.parse(queryTestOf(parts))).toEqual({
      name: "query: books",
      graph: { nodes: [{ type: "Reader", external_id: "ann" }] },
      policies: { "may-read": { policy } },
      queries: { books: { policy: "may-read", query: { nodes: ["book"] } } },
      people: { person: { sub: "ann", auth_time: 5 } },
      now: "1970-01-01T00:00:00.000Z",
      tests: [
        {
          query: "books",
          as: "person",
          params: { reader: "ann" },
          expect: {
            rows: [
              { "book.external_id": "b1", count: 2 },
              { "book.external_id": "b2", count: 3 },
            ],
            order: "any",
            columns: "listed",
          },
        },
      ],
    });
  });

  it("counts rows that have nothing else to compare", () => {
    const rows = [{ nodes: { book: { ElementId: "x", Props: {} } } }];
    expect(testOf({ rows, claims: undefined, params: {} })).toEqual({ query: "books", expect: { count: 1 } });
  });

  it("leaves out ids of the application, which is another one in a test", () => {
    const application = JSON.stringify({ ...policy, subject: { type: "_Application" } });
    const rows = [{ nodes: { "subject.external_id": "gid:1", "book.external_id": "b1" } }];
    expect(testOf({ rows, policy: { name: "p", text: application } })).toMatchObject({
      expect: { rows: [{ "book.external_id": "b1" }], columns: "listed" },
    });
  });

  it("has all columns where all are the same everywhere, and no row where there was none", () => {
    expect(testOf({ rows: [] })).toMatchObject({ expect: { rows: [], order: "any" } });
  });
});

describe("the graph of a test", () => {
  const schemaOf = (counts: Readonly<Record<string, number>>) =>
    ({
      graph: {
        nodes: Object.fromEntries(
          Object.entries(counts).map(([type, node_count]) => [type, { metadata: { node_count } }]),
        ),
        edges: [],
      },
    }) as unknown as DataSchema; // only what is read
  const cypher = "MATCH (subject)-[:VISITS]->(:Room)-[:HOLDS]->(book:Book)";

  it("is all of a small one, the types of the policy of a larger one, and none of a large one", () => {
    expect(testedTypes(schemaOf({ Book: 100, Car: 300 }), cypher, "Reader")).toEqual({ types: undefined });
    expect(testedTypes(schemaOf({ Book: 100, Room: 1, Reader: 2, Car: 900 }), cypher, "Reader")).toEqual({
      types: ["Book", "Room", "Reader"],
    });
    expect(testedTypes(schemaOf({ Book: 900 }), cypher, "Reader")).toBeUndefined();
  });
});
