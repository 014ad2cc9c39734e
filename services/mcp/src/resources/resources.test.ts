import { randomBytes } from "node:crypto";
import type { ProjectSnapshot, StoredQuery } from "@ikg/catalog";
import { newGid } from "@ikg/contracts";
import { compileCiq } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { describe, expect, it } from "@jest/globals";
import { openCursors } from "./cursor.ts";
import { openResources } from "./resources.ts";

const compiled = compileCiq(
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application) MATCH (car:Car) WHERE car.property.speed < $limit" },
    allowed_reads: { nodes: ["car.external_id"] },
  }),
);
if (!compiled.ok) throw new Error(compiled.faults.join());
const policy = compiled.value;

const query = (name: string, nodes = ["car.external_id"]): StoredQuery => ({
  id: newGid("knowledge_query"),
  name,
  displayName: name === "q-000" ? "The first" : "",
  description: name === "q-000" ? "Which cars are slow" : undefined,
  version: 1,
  policyId: "policy",
  policyName: "policy",
  policyVersion: 1,
  policy,
  query: compileQuery(JSON.stringify({ nodes }), policy),
});
const named = (count: number) =>
  Array.from({ length: count }, (_, n) => query(`q-${String(n).padStart(3, "0")}`));
const view = (queries: readonly StoredQuery[], id = newGid("project")): ProjectSnapshot =>
  // All that is asked of it.
  ({ project: { id }, queries: () => queries }) as unknown as ProjectSnapshot;

const key = randomBytes(32);
const resources = openResources(openCursors(key), 1_000_000);
const namesOf = (found: { readonly resources: readonly { readonly name: string }[] }) =>
  found.resources.map(({ name }) => name);

describe("the list of resources", () => {
  it("comes in pages of a hundred, also when an entry goes between two of them", () => {
    const queries = named(250);
    const id = newGid("project");
    const first = resources.list(view(queries, id), undefined);
    expect(first.resources).toHaveLength(100);
    const without = queries.filter(({ name }) => name !== "q-099");
    const second = resources.list(view(without, id), first.nextCursor);
    const third = resources.list(view(without, id), second.nextCursor);
    expect(third.nextCursor).toBeUndefined();
    expect([first, second, third].flatMap(namesOf)).toEqual(queries.map(({ name }) => name));
  });

  it("ends a page early when its entries are large, and reads all of them at one time only while they fit", () => {
    const bounded = openResources(openCursors(key), 3_000);
    const here = view(named(40));
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = bounded.list(here, cursor);
      expect(Buffer.byteLength(JSON.stringify(page.resources))).toBeLessThanOrEqual(3_200);
      found.push(...namesOf(page));
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect(found).toEqual(named(40).map(({ name }) => name));
    expect(pages).toBeGreaterThan(2);
    expect(() => bounded.read(here, "ikg://knowledge-queries/")).toThrow(/setting MCP_RESULT_BYTES, 3000/);
    expect(bounded.read(here, "ikg://knowledge-queries/q-007").contents).toHaveLength(1);
    expect(resources.read(here, "ikg://knowledge-queries/").contents).toHaveLength(1);
    // One entry is shown, whatever it takes.
    expect(openResources(openCursors(key), 1).list(here, undefined).resources).toHaveLength(1);
  });

  it("takes no cursor of another project, another list or another key, and none that was changed", () => {
    const queries = named(101);
    const here = view(queries);
    const cursor = resources.list(here, undefined).nextCursor ?? "";
    const elsewhere = view(queries);
    const own = openCursors(key);
    const project = elsewhere.project.id;
    const bad = [
      "",
      ".",
      "x.y.z",
      `${cursor}x`,
      cursor.replace(/^./, (first) => (first === "A" ? "B" : "A")),
      own.issue({ name: "a", id: "b" }, "tools/list", here.project.id),
      openCursors(randomBytes(32)).issue({ name: "a", id: "b" }, "resources/list", here.project.id),
    ];
    for (const each of bad)
      expect(() => resources.list(here, each)).toThrow("not a cursor returned by this endpoint");
    expect(() => resources.list(elsewhere, cursor)).toThrow("not a cursor returned by this endpoint");
    expect(resources.list(here, cursor).resources).toHaveLength(1);
    expect(own.read(cursor, "resources/list", project)).toBeUndefined();
    const rotated = openResources(openCursors(randomBytes(32), [key]), 1_000_000);
    expect(rotated.list(here, cursor).resources).toHaveLength(1);
  });

  it("says how each is called, and leaves out what its policy no longer allows", () => {
    const found = resources.list(view([...named(1), query("gone", ["car.property.secret"])]), undefined);
    expect(found.resources).toEqual([
      {
        uri: expect.stringMatching(/^ikg:\/\/knowledge-queries\/gid%3A/),
        name: "q-000",
        title: "The first",
        description:
          'Which cars are slow. Call the tool ciq_execute with id "q-000" and input_params: limit. ' +
          "Needs no user's token.",
        mimeType: "application/json",
      },
    ]);
  });

  it.each(["ikg://knowledge-queries/%", "ikg://other/q-000", "q-000", "", "IKG://knowledge-queries/q-000"])(
    "there is no resource %j",
    (uri) => {
      expect(() => resources.read(view(named(1)), uri)).toThrow("Resource not found");
    },
  );
});
