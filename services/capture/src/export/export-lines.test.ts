import { describe, expect, it } from "@jest/globals";
import type { Row } from "@ikg/graph";
import { projectKey, projectLabel } from "@ikg/physical";
import { LinesText } from "@ikg/service";
import { exportLines } from "./export-lines.ts";
import type { PageReader } from "./page-reader.ts";
import { degreePageText, nodePageText, relationshipPageText } from "./statements.ts";

const pk = projectKey("abcdefgh");

interface Edge {
  readonly a: string;
  readonly t: string;
  readonly b: string;
  readonly d: string;
}

const endOf = (key: string) => {
  const [, type = "", ...rest] = key.split("/");
  return { type, id: rest.join("/") };
};

const placeOf = ({ t, b, d }: Omit<Edge, "a">): string => [t, b, d].join("\n");
const order = (edge: Edge): string => `${edge.a}\n${placeOf(edge)}`;

/** Answers the statements of an export as the database would, page by page. */
const readerOf = (keys: readonly string[], edges: readonly Edge[]): PageReader & { reads: number } => {
  const sorted = keys.toSorted();
  const ordered = edges.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  const degrees = new Map<string, number>();
  for (const { a } of edges) degrees.set(a, (degrees.get(a) ?? 0) + 1);
  const rowsOf = (text: string, params: Readonly<Record<string, unknown>>): readonly Row[] => {
    if (text === relationshipPageText(pk)) {
      const { keys: group, ...after } = params as unknown as Omit<Edge, "a"> & { keys: readonly string[] };
      const sources = new Set(group);
      return ordered
        .filter((edge) => sources.has(edge.a) && (edge.a !== group[0] || placeOf(edge) > placeOf(after)))
        .map((edge) => ({
          ...edge,
          type: edge.t,
          sourceType: endOf(edge.a).type,
          sourceId: endOf(edge.a).id,
          targetType: endOf(edge.b).type,
          targetId: endOf(edge.b).id,
          p: { _discriminator: edge.d },
        }));
    }
    const between = sorted.filter((key) => key > String(params["after"]) && key < String(params["before"]));
    if (text === degreePageText(pk)) return between.map((k) => ({ k, degree: degrees.get(k) ?? 0 }));
    expect(text).toBe(nodePageText(pk));
    return between
      .filter((key) => !endOf(key).type.startsWith("_"))
      .map((k) => {
        const { type, id } = endOf(k);
        const labels = ["_Node", projectLabel(pk), `${type}__${pk}`, `Extra__${pk}`];
        return { k, l: labels, p: { _key: k, type, external_id: id, is_identity: true, id: "gid:1" } };
      });
  };
  return {
    reads: 0,
    async read(text, size, params) {
      this.reads += 1;
      const rows = rowsOf(text, params).slice(0, size.rows);
      return { rows, isLast: rows.length < size.rows };
    },
  };
};

const collect = async (reader: PageReader, types?: readonly string[]) => {
  const lines: string[] = [];
  let complete: unknown;
  for await (const page of exportLines(reader, pk, types)) {
    expect(complete).toBeUndefined();
    if (page instanceof LinesText) lines.push(...page.text.split("\n").filter((line) => line !== ""));
    else complete = page.complete;
  }
  return { lines, complete };
};

const key = (type: string, id: string | number): string => `${pk}/${type}/${id}`;

describe("the lines of an export", () => {
  it("are every node and relationship once, whatever the pages", async () => {
    const keys = Array.from({ length: 3_333 }, (_, at) => key(at % 2 === 0 ? "Car" : "Person", at));
    const hub = key("Car", 0);
    const edges = [
      ...keys.map((b, at) => ({ a: hub, t: at % 3 === 0 ? "OWNS" : "KNOWS", b, d: "" })),
      ...keys.slice(1).flatMap((a) => ["", "1", "2"].map((d) => ({ a, t: "KNOWS", b: hub, d }))),
    ];
    const reader = readerOf(keys, edges);
    const { lines, complete } = await collect(reader);
    expect(complete).toEqual({ nodes: keys.length, relationships: edges.length });
    expect(lines).toHaveLength(keys.length + edges.length);
    expect(lines.filter((line) => line.startsWith('{"node"'))).toHaveLength(keys.length);
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
      node: { external_id: "999", type: "Person", is_identity: true, labels: ["Extra"] },
    });
    expect(lines.join("\n")).not.toMatch(/_key|gid:|abcdefgh|_Node/);
  });

  it("of some types are their nodes, and relationships between them", async () => {
    const keys = [key("Car", 1), key("Carl", 1), key("Person", 1)];
    const edges = keys.flatMap((a) => keys.map((b) => ({ a, t: "SEES", b, d: "" })));
    const { complete } = await collect(readerOf(keys, edges), ["Car", "Person"]);
    expect(complete).toEqual({ nodes: 2, relationships: 4 });
  });

  it("come with a page after two reads at most: an export that finds nothing for long is not silent", async () => {
    const keys = Array.from({ length: 5_000 }, (_, at) => key("Car", at));
    const reader = readerOf(keys, [{ a: keys.toSorted()[0] ?? "", t: "OWNS", b: key("Car", 1), d: "" }]);
    const pages = exportLines(reader, pk, undefined);
    for (let before = 0; (await pages.next()).done !== true; before = reader.reads)
      expect(reader.reads - before).toBeLessThanOrEqual(2);
  });

  it("leave out what the platform wrote, and refuse what is tied to it", async () => {
    const keys = [key("Car", 1), key("_Application", "app"), key("_TrustScore", "gid:1")];
    const score = { a: key("_TrustScore", "gid:1"), t: "OF", b: key("Car", 1), d: "" };
    expect((await collect(readerOf(keys, [score]))).complete).toEqual({ nodes: 1, relationships: 0 });
    const uses = { a: key("_Application", "app"), t: "USES", b: key("Car", 1), d: "" };
    await expect(collect(readerOf(keys, [uses]))).rejects.toMatchObject({
      status: 422,
      errors: [expect.stringContaining("_Application:app USES Car:1")],
    });
  });
});
