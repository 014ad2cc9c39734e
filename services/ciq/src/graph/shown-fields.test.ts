import { describe, expect, it } from "@jest/globals";
import { projectKey } from "@ikg/physical";
import { elementIdsOf } from "@ikg/query-rows";
import { type Gid } from "@ikg/contracts";
import { nodeProperties, propertiesOfRelationship, summaryOf, trustScoreOf } from "./shown-fields.ts";

const pk = projectKey("abcdefgh");
const project = { pk, ids: elementIdsOf(Buffer.alloc(32))("gid:p" as Gid) };

describe("a summary of a node", () => {
  const fields = { type: "Person", external_id: "ann", id: "gid:n", is_identity: true, name: "Ann" };

  it("has its extra labels and no property", () => {
    const labels = [
      "_Node",
      "_P__abcdefgh",
      "Person__abcdefgh",
      "Member__abcdefgh",
      "Boss__abcdefgh",
      "X__other123",
    ];
    expect(summaryOf(labels, fields, pk)).toEqual({
      type: "Person",
      external_id: "ann",
      id: "gid:n",
      is_identity: true,
      labels: ["Boss", "Member"],
    });
  });

  it("has its location and its times where they are stored", () => {
    const stored = { ...fields, _location: "eu", create_time: "a", update_time: "b" };
    expect(summaryOf(null, stored, pk)).toMatchObject({ location: "eu", create_time: "a", update_time: "b" });
  });
});

describe("properties of a node", () => {
  it("have their metadata, in the order of their names, without fields of the platform", () => {
    const fields = {
      type: "Person",
      _key: "k",
      "b.metadata.source": "s",
      "b.metadata.assurance_level": 2,
      "b.metadata.own": true,
      "b.update_time": "t",
      b: [1, 2],
      "_p.type": "mine",
      "a.external_value": "resolver",
    };
    expect(nodeProperties(fields, project)).toEqual([
      { type: "a", external_value: "resolver" },
      {
        type: "b",
        value: [1, 2],
        metadata: { assurance_level: 2, source: "s", custom_metadata: { own: true } },
        update_time: "t",
      },
      { type: "type", value: "mine" },
    ]);
  });

  it("may be called like members of every object", () => {
    const fields = { "_p.__proto__": 1, "_p.__proto__.metadata.__proto__": 2, constructor: 3 };
    expect(JSON.stringify(nodeProperties(fields, project))).toBe(
      '[{"type":"__proto__","value":1,"metadata":{"custom_metadata":{"__proto__":2}}},{"type":"constructor","value":3}]',
    );
  });
});

it("properties of a relationship leave out what the platform keeps", () => {
  const fields = { since: 2020, _create_time: "t", _discriminator: "2020", "_p._own": 1 };
  expect(propertiesOfRelationship(fields, project)).toEqual([
    { type: "_own", value: 1 },
    { type: "since", value: 2020 },
  ]);
});

it("a trust score has every dimension, or is not there", () => {
  expect(trustScoreOf(null)).toBeUndefined();
  expect(trustScoreOf({ _final_score: 0.25, _origin: 1, profile_id: "p", update_time: "t" })).toEqual({
    _final_score: 0.25,
    _validity: null,
    _verification: null,
    _freshness: null,
    _origin: 1,
    _completeness: null,
    profile_id: "p",
    update_time: "t",
  });
});
