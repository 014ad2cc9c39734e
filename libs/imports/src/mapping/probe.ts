import { UpsertNode, UpsertRelationship } from "@ikg/contracts/capture";
import type { z } from "zod";
import { MappingFault } from "./mapping-fault.ts";
import type { NodeMapping, NodePropertyMapping, RelationshipMapping } from "./schema.ts";
import { parseTemplate } from "./template.ts";

/** The text of a template without columns, otherwise a valid example. */
const fixed = (template: string, otherwise: string): string => {
  const { texts, columns } = parseTemplate(template);
  return columns.length === 0 ? texts.join("") : otherwise;
};

const propertiesOf = (mappings: Readonly<Record<string, NodePropertyMapping>> = {}) =>
  Object.entries(mappings).map(([type, mapping]) => {
    if (typeof mapping === "string") return { type, value: "" };
    if ("external_value" in mapping && mapping.external_value !== undefined)
      return { type, external_value: mapping.external_value };
    return { type, value: mapping.value ?? "" };
  });

/** Converts a path in a line of an import to the path in the mapping. */
const mappingPath = (
  { properties = {} }: { readonly properties?: Readonly<Record<string, unknown>> | undefined },
  [head, index, ...rest]: readonly PropertyKey[],
): readonly PropertyKey[] => {
  if (head !== "properties" || typeof index !== "number")
    return [head, index, ...rest].filter((each) => each !== undefined);
  return ["properties", Object.keys(properties)[index] ?? "", ...rest.filter((each) => each !== "type")];
};

const validateLine = (schema: z.ZodType, line: object, mapping: NodeMapping | RelationshipMapping): void => {
  const [issue] = schema.safeParse(line, { reportInput: true }).error?.issues ?? [];
  if (issue === undefined) return;
  const path = mappingPath(mapping, issue.path);
  const name = path.findLast((each) => typeof each === "string");
  throw new MappingFault(path, `${String(name)}: ${issue.message}`);
};

/** Validates what does not depend on rows, such as names, before anything is sent. @throws MappingFault */
export const probeNode = (mapping: NodeMapping): void =>
  validateLine(
    UpsertNode,
    {
      type: fixed(mapping.type, "Node"),
      external_id: "1",
      labels: mapping.labels?.map((label) => fixed(label, "Label")),
      properties: propertiesOf(mapping.properties),
    },
    mapping,
  );

/** The same for a relationship. @throws MappingFault */
export const probeRelationship = (mapping: RelationshipMapping): void =>
  validateLine(
    UpsertRelationship,
    {
      source: { type: fixed(mapping.source.type, "Node"), external_id: "1" },
      type: fixed(mapping.type, "RELATED"),
      target: { type: fixed(mapping.target.type, "Node"), external_id: "1" },
      properties: propertiesOf(mapping.properties),
    },
    mapping,
  );
