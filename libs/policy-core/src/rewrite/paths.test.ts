import { describe, expect, it } from "@jest/globals";
import {
  metadataField,
  projectKey,
  propertyField,
  relationshipField,
  relationshipFields,
} from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";
import { isFault, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { call, property, variable } from "./build.ts";
import { physicalNodePath, physicalRelationshipPath } from "./paths.ts";

const pk = projectKey("abcd1234");

const printNode = (text: string, root: Expression = variable("d")): string => {
  const path = readNodePath(text);
  if (isFault(path)) throw new Error(path.fault);
  return printTree(physicalNodePath(root, path, pk));
};

const printRelationship = (text: string): string => {
  const path = readRelationshipPath(text);
  if (isFault(path)) throw new Error(path.fault);
  return printTree(physicalRelationshipPath(variable("r"), path));
};

describe("the value of a path below a node", () => {
  it.each([
    ["d", variable("d")],
    ["d.external_id", property(variable("d"), "external_id")],
    ["d.update_time", property(variable("d"), "update_time")],
    ["d.property.title", property(variable("d"), propertyField("title"))],
    ["d.property.title.metadata.source", property(variable("d"), metadataField("title", "source"))],
  ])("%s", (text, expected) => expect(printNode(text)).toBe(printTree(expected)));

  it("of a trust score begins at the node, under a name of its own where it is an expression", () => {
    expect(printNode("d.trust_score._validity")).toBe(
      "head([(d)-[:_HAS]->(__score:_TrustScore__abcd1234) | __score._validity])",
    );
    expect(printNode("d.trust_score._validity", call("head", variable("list")))).toBe(
      "head([__scored IN [head(list)] | head([(__scored)-[:_HAS]->(__score:_TrustScore__abcd1234) | __score._validity])])",
    );
  });

  it.each(["d.*", "d.property.*", "d.property.title.*", "d.property.title.metadata.*", "d.trust_score.*"])(
    "does not exist for %s, which names more than one",
    (text) => expect(() => printNode(text)).toThrow(`${text} names more than one value`),
  );
});

describe("the value of a path below a relationship", () => {
  it.each([
    ["r", variable("r")],
    ["r.type", call("type", variable("r"))],
    ["r.create_time", property(variable("r"), relationshipFields.createTime)],
    ["r.update_time", property(variable("r"), relationshipFields.updateTime)],
    ["r.since", property(variable("r"), relationshipField("since"))],
  ])("%s", (text, expected) => expect(printRelationship(text)).toBe(printTree(expected)));
});
