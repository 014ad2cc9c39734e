import { isObject, textOf, valueText } from "../../../text/json.ts";

/** What a row becomes, as the tables of the preview show it. */
export interface PreviewNode {
  readonly id: string;
  readonly place: string;
  readonly type: string;
  readonly externalId: string;
  readonly properties: string;
}

export interface PreviewRelationship {
  readonly id: string;
  readonly place: string;
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly properties: string;
}

interface Row {
  readonly file: string;
  readonly row: number;
  readonly lines: readonly unknown[];
}

const propertiesText = (properties: unknown): string =>
  (Array.isArray(properties) ? properties : [])
    .filter(isObject)
    .map(({ type, value, external_value }) =>
      value === undefined
        ? `${textOf(type)} by the resolver ${textOf(external_value)}`
        : `${textOf(type)}: ${valueText(value)}`,
    )
    .join(", ");

const refText = (ref: unknown): string =>
  isObject(ref) ? `${textOf(ref["type"])} ${textOf(ref["external_id"])}` : "";

/** Nodes and relationships of rows, in their order. */
export const previewOf = (
  rows: readonly Row[],
): { readonly nodes: readonly PreviewNode[]; readonly relationships: readonly PreviewRelationship[] } => {
  const nodes: PreviewNode[] = [];
  const relationships: PreviewRelationship[] = [];
  for (const { file, row, lines } of rows)
    for (const [at, line] of lines.entries()) {
      if (!isObject(line)) continue;
      const { node, relationship } = line;
      const id = JSON.stringify([file, row, at]);
      const place = `${file}, row ${row}`;
      if (isObject(node))
        nodes.push({
          id,
          place,
          type: textOf(node["type"]),
          externalId: textOf(node["external_id"]),
          properties: propertiesText(node["properties"]),
        });
      if (isObject(relationship))
        relationships.push({
          id,
          place,
          source: refText(relationship["source"]),
          type: textOf(relationship["type"]),
          target: refText(relationship["target"]),
          properties: propertiesText(relationship["properties"]),
        });
    }
  return { nodes, relationships };
};
