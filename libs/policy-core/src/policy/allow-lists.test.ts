import { describe, expect, it } from "@jest/globals";
import { compileCiq } from "./compile.ts";
import { policy, type Json } from "../../test/writing-queries.ts";

describe("allow-lists of writes in a policy", () => {
  const policyFaults = (changes: Json): readonly string[] => {
    const checked = compileCiq(
      JSON.stringify(policy({ allowed_upserts: undefined, allowed_deletes: undefined, ...changes })),
    );
    return checked.ok ? [] : checked.faults;
  };
  const own = {
    cypher:
      "MATCH (subject:Nurse), (app:_Application)-[b:_BELONGS_TO]->(t:_TrustScore), (c:Chart)-[hops*]->(d)",
  };
  const upserts = "policy.allowed_upserts";

  it.each<[Json, readonly string[]]>([
    [
      { allowed_upserts: { nodes: { existing_nodes: ["app", "c"] } } },
      [`${upserts}.nodes.existing_nodes[0]: nodes of type _Application can only be linked`],
    ],
    [
      { allowed_upserts: { relationships: { existing_relationships: ["b", "hops"] } } },
      [
        `${upserts}.relationships.existing_relationships[0]: relationships of type _BELONGS_TO cannot be changed`,
        `${upserts}.relationships.existing_relationships[1]: "hops" is a path of several hops, which can only be read`,
      ],
    ],
    [
      { allowed_deletes: { nodes: ["x", "t.*", "t"] } },
      [
        'policy.allowed_deletes.nodes[0]: "x" is not bound after the pattern',
        "policy.allowed_deletes.nodes[1]: nodes of type _TrustScore can only be linked",
        "policy.allowed_deletes.nodes[2]: nodes of type _TrustScore can only be linked",
      ],
    ],
    [
      { allowed_deletes: { relationships: ["nobody", "b", "b.type"] } },
      [
        'policy.allowed_deletes.relationships[0]: "nobody" is not bound after the pattern',
        "policy.allowed_deletes.relationships[1]: relationships of type _BELONGS_TO cannot be changed",
        "policy.allowed_deletes.relationships[2]: b.type is protected",
        "policy.allowed_deletes.relationships[2]: relationships of type _BELONGS_TO cannot be changed",
      ],
    ],
    [
      {
        allowed_upserts: {
          relationships: {
            relationship_types: [
              { type: "USES", source_node_label: "_Application", target_node_label: "Chart" },
            ],
          },
        },
      },
      [],
    ],
    [
      {
        allowed_upserts: {
          relationships: {
            relationship_types: [{ type: "_HAS", source_node_label: "Chart", target_node_label: "Chart" }],
          },
        },
      },
      [`${upserts}.relationships.relationship_types[0].type: a relationship type in upper case`],
    ],
  ])("%j", (lists, expected) => {
    expect(policyFaults({ condition: own, allowed_reads: undefined, ...lists })).toEqual(expected);
  });
});
