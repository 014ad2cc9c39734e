import { describe, expect, it } from "@jest/globals";
import { node, relationship } from "../../test/paths.ts";
import { mayDeleteNode, mayDeleteRelationship, mayReadNode, mayReadRelationship } from "./allow.ts";

describe("allowed_reads of nodes", () => {
  it.each([
    ["a.*", "a"],
    ["a.*", "a.external_id"],
    ["a.*", "a.property.x"],
    ["a.*", "a.property.x.metadata.source"],
    ["a.*", "a.trust_score._final_score"],
    ["a.*", "a.*"],
    ["a.*", "a.property.*"],
    ["a", "a"],
    ["a", "a.external_id"],
    ["a", "a.create_time"],
    ["a.trust_score.*", "a.trust_score._freshness"],
    ["a.property.x", "a.property.x"],
    ["a.property.x", "a.property.x.value"],
    ["a.property.x.*", "a.property.x"],
    ["a.property.x.*", "a.property.x.metadata.source"],
    ["a.property.*", "a.property.x.metadata.source"],
    ["a.property.*", "a.property.*"],
  ])("%s covers %s", (entry, requested) => {
    expect(mayReadNode([node(entry)], node(requested))).toBe(true);
  });

  it.each([
    ["a", "a.property.x"],
    ["a", "a.*"],
    ["a", "a.trust_score._final_score"],
    ["a.external_id", "a"],
    ["a.property.x", "a.property.x.metadata.source"],
    ["a.property.x", "a.property.y"],
    ["a.property.x", "a.*"],
    ["a.property.*", "a"],
    ["a.property.*", "a.external_id"],
    ["a.property.*", "a.*"],
    ["a.property.*", "a.trust_score._final_score"],
    ["a.trust_score._origin", "a.trust_score.*"],
    ["b.*", "a"],
  ])("%s does not cover %s", (entry, requested) => {
    expect(mayReadNode([node(entry)], node(requested))).toBe(false);
  });
});

describe("every entry of a list against every path", () => {
  const paths = [
    ...["a", "b"].flatMap((alias) => [
      alias,
      `${alias}.*`,
      `${alias}.external_id`,
      `${alias}.type`,
      `${alias}.property.*`,
      ...["x", "y"].flatMap((name) => [
        `${alias}.property.${name}`,
        `${alias}.property.${name}.*`,
        `${alias}.property.${name}.metadata.*`,
        `${alias}.property.${name}.metadata.source`,
        `${alias}.property.${name}.metadata.rank`,
      ]),
      `${alias}.trust_score.*`,
      `${alias}.trust_score._origin`,
      `${alias}.trust_score._validity`,
    ]),
  ];

  /** Whether an entry of an allow-list covers a path, decided on their texts. */
  const covers = (entry: string, requested: string): boolean => {
    const [alias = ""] = entry.split(".");
    if (requested !== alias && !requested.startsWith(`${alias}.`)) return false;
    if (entry === requested || entry === `${alias}.*`) return true;
    if (entry === alias) return /^\w+\.(external_id|type)$/.test(requested);
    // A wildcard covers what begins like it, and `x.*` the value itself.
    if (entry.endsWith(".*")) {
      const stem = entry.slice(0, -2);
      return requested.startsWith(`${stem}.`) || (requested === stem && !stem.endsWith(".metadata"));
    }
    return false;
  };

  it.each(paths)("%s reads what the table says", (entry) => {
    const found = paths.filter((requested) => mayReadNode([node(entry)], node(requested)));
    expect(found).toEqual(paths.filter((requested) => covers(entry, requested)));
  });

  it("reads with a list what its entries read, each by itself", () => {
    const list = ["b.property.x", "a.property.x", "a.property.x.metadata.source", "a.type"];
    const found = paths.filter((requested) => mayReadNode(list.map(node), node(requested)));
    expect(found.toSorted()).toEqual(list.toSorted());
    expect(paths.filter((requested) => mayReadNode([], node(requested)))).toEqual([]);
    expect(paths.filter((requested) => mayDeleteNode([], node(requested)))).toEqual([]);
  });
});

describe("allowed_reads of relationships", () => {
  it.each([
    ["r", "r", true],
    ["r", "r.*", true],
    ["r", "r.since", true],
    ["r.*", "r", true],
    ["r.since", "r.since", true],
    ["r.since", "r", false],
    ["r.since", "r.until", false],
    ["q", "r", false],
  ])("%s covers %s: %s", (entry, requested, expected) => {
    expect(mayReadRelationship([relationship(entry)], relationship(requested))).toBe(expected);
  });
});

describe("allowed_deletes of nodes: no upward reach", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["a", ["a"]],
    ["a.*", ["a.*"]],
    ["a.property.x", ["a.property.x", "a.*", "a.property.*"]],
    ["a.property.x.metadata.k", ["a.property.x.metadata.k", "a.property.x", "a.property.x.*", "a.*"]],
  ];
  const entries = [
    "a",
    "a.*",
    "a.property.x",
    "a.property.*",
    "a.property.x.*",
    "a.property.x.metadata.k",
    "a.property.x.metadata.*",
    "a.property.y",
    "a.property.x.metadata.j",
    "b",
    "b.*",
    "b.property.x",
  ];

  it.each(rows)("%s needs one of %j", (requested, covering) => {
    const found = entries.filter((entry) => mayDeleteNode([node(entry)], node(requested)));
    expect(found.toSorted()).toEqual([...covering].toSorted());
  });

  it("nothing opens what no query may delete", () => {
    for (const requested of [
      "a.external_id",
      "a.trust_score.*",
      "a.trust_score._origin",
      "a.property.*",
      "a.property.x.*",
      "a.property.x.metadata.*",
    ]) {
      expect(mayDeleteNode(entries.map(node), node(requested))).toBe(false);
    }
  });
});

describe("allowed_deletes of relationships", () => {
  it.each([
    ["r", ["r"]],
    ["r.*", ["r.*"]],
    ["r.x", ["r.x", "r.*"]],
  ])("%s needs one of %j", (requested, covering) => {
    const entries = ["r", "r.*", "r.x", "r.y", "s", "s.*"];
    const found = entries.filter((entry) =>
      mayDeleteRelationship([relationship(entry)], relationship(requested)),
    );
    expect(found.toSorted()).toEqual([...covering].toSorted());
  });
});
