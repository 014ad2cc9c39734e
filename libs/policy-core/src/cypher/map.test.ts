import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { mapTree } from "./map.ts";
import { nodesOf } from "./walk.ts";
import { parse } from "./parser.ts";
import { printTree } from "./printer.ts";
import { query } from "../../test/trees/trees.ts";
import type { Hooks } from "./map.ts";
import type { Query } from "./ast.ts";

const read = (text: string): Query => {
  const parsed = parse(text, { use: true, call: true });
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
  return parsed.query;
};

const mapped = (text: string, hooks: Hooks): string => printTree(mapTree(read(text), hooks));

describe("mapTree", () => {
  it("without hooks gives an equal tree", () => {
    fc.assert(
      fc.property(query, (tree) => {
        expect(mapTree(tree, {})).toEqual(tree);
      }),
      { numRuns: 100 },
    );
  });

  it("leaves the given tree as it was", () => {
    const tree = read("MATCH (a:A {x: 1}) WHERE a.y = 2");
    const before = JSON.stringify(tree, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    mapTree(tree, {
      label: (label) => ({ ...label, name: "B" }),
      integer: (node) => ({ ...node, value: 9n }),
    });
    expect(
      JSON.stringify(tree, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).toBe(before);
  });

  it("reaches labels wherever they stand", () => {
    const text =
      "MATCH (a:A)-[r:T]->(b:B|!C) WHERE a:D AND EXISTS { (a)-->(:E) } AND COUNT { MATCH (:F) CALL { MATCH (:G) RETURN 1 AS x } } > 1 " +
      "AND [(a)-->(c:H) WHERE c:I | c:J] = [] AND (a)-->(:K) AND all(x IN l WHERE x:L)";
    const hooks: Hooks = {
      relationship: (relationship) => relationship,
      label: (label) => ({ ...label, name: `${label.name}__p` }),
    };
    const result = mapped(text, hooks);
    for (const name of "ABCDEFGHIJKL") expect(result).toContain(`${name}__p`);
    expect(result).toContain("[r:T]");
  });

  it("lets a hook replace an expression by one of another kind", () => {
    const result = mapped("MATCH (a) WHERE a.property.price.value > $token.max WITH a.property.x AS x", {
      property: (node) =>
        node.target.kind === "property" && node.target.key === "property"
          ? { kind: "property", target: node.target.target, key: node.key, at: node.at }
          : undefined,
    });
    expect(result).toBe("MATCH (a) WHERE (a.price.value > $token.max) WITH a.x AS x");
  });

  it("rebuilds bottom up and top down as the hook wishes", () => {
    const up: Hooks = {
      unary: (node, inner) => {
        const rebuilt = inner.rebuild(node);
        return rebuilt.operand.kind === "boolean"
          ? { ...rebuilt.operand, value: !rebuilt.operand.value }
          : rebuilt;
      },
    };
    expect(mapped("MATCH (a) WHERE NOT NOT NOT true", up)).toBe("MATCH (a) WHERE false");
    const down: Hooks = {
      node: (node, inner) =>
        inner.rebuild({ ...node, label: { kind: "label", name: node.variable ?? "x", at: 0 } }),
      label: (label) => ({ ...label, name: label.name.toUpperCase() }),
    };
    expect(mapped("MATCH (a)-->()", down)).toBe("MATCH (a:A)-->(:X)");
  });

  it("offers the map of a pattern entry by entry, and any other as a whole", () => {
    const hooks: Hooks = {
      map: (node) => ({ kind: "null", at: node.at }),
      entry: (entry, inner) => ({ ...inner.rebuild(entry), key: `_${entry.key}` }),
    };
    expect(mapped("MATCH (a {x: {y: 1}}) WHERE a.z = {w: 1}", hooks)).toBe(
      "MATCH (a {_x: null}) WHERE (a.z = null)",
    );
  });

  it("keeps absent parts absent", () => {
    const [match] = mapTree(read("MATCH (a)"), {}).clauses;
    expect(match !== undefined && "where" in match).toBe(false);
  });
});

describe("nodesOf", () => {
  it("gives every node once, in the order of the text", () => {
    const tree = read(
      "MATCH (a:A {x: $p})-[r:T WHERE r.y = 1]->(b) WITH a AS c ORDER BY c.z LIMIT 2 WHERE c:B",
    );
    const kinds = [...nodesOf(tree)].map((node) => node.kind);
    expect(kinds).toEqual([
      ...["query", "match", "path", "node", "label", "map", "entry", "parameter", "relationship", "label"],
      ...[
        "comparison",
        "property",
        "variable",
        "step",
        "integer",
        "node",
        "with",
        "item",
        "variable",
        "sort",
      ],
      ...["property", "variable", "integer", "label-test", "variable", "label"],
    ]);
    const places = [...nodesOf(tree)].map((node) => node.at);
    expect(places.every((at) => at >= 0)).toBe(true);
  });

  it("can leave out what is inside a node", () => {
    const tree = read("MATCH (a) WHERE EXISTS { (b)-->(c) } AND a.x = $p");
    const kinds = [...nodesOf(tree, (node) => node.kind !== "exists")].map((node) => node.kind);
    expect(kinds).toContain("exists");
    expect(kinds).not.toContain("pattern-body");
    expect(kinds).toContain("parameter");
  });

  it("meets what mapTree meets", () => {
    fc.assert(
      fc.property(query, (tree) => {
        const walked = [...nodesOf(tree)].filter(
          (node) => node.kind === "label" || node.kind === "variable",
        ).length;
        let met = 0;
        mapTree(tree, {
          label: (label) => {
            met += 1;
            return label;
          },
          variable: (variable) => {
            met += 1;
            return variable;
          },
        });
        expect(met).toBe(walked);
      }),
      { numRuns: 100 },
    );
  });
});
