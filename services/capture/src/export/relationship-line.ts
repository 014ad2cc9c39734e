import { captureLimits, importLimits, valueFault } from "@ikg/contracts";
import type { Row } from "@ikg/graph";
import { relationshipPropertyName } from "@ikg/physical";
import { nodeName, notExportable } from "./not-exportable.ts";

const isSystem = (type: string): boolean => type.startsWith("_");

/**
 * The line of an import that writes a relationship.
 *
 * @param row of `relationshipPageText`.
 * @throws Problem `unprocessable` (422) naming what no line can say.
 */
export const relationshipLine = (row: Row): string => {
  const text = (column: string): string => String(row[column]);
  const source = { external_id: text("sourceId"), type: text("sourceType") };
  const target = { external_id: text("targetId"), type: text("targetType") };
  const owner = `${nodeName(source.type, source.external_id)} ${text("type")} ${nodeName(target.type, target.external_id)}`;
  if (isSystem(source.type) || isSystem(target.type))
    throw notExportable(owner, "a relationship of a node that the platform wrote cannot be imported");
  const properties = Object.entries(row["p"] as Record<string, unknown>) // a map, by the statement
    .flatMap(([field, value]) => {
      const type = relationshipPropertyName(field);
      if (type === undefined) return [];
      const fault = valueFault(value);
      if (fault !== undefined) throw notExportable(owner, `property ${type} cannot be exported: ${fault}`);
      return [{ type, value }];
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  const relationship = {
    source,
    target,
    type: text("type"),
    ...(properties.length === 0 ? {} : { properties }),
  };
  const line = JSON.stringify({ relationship });
  if (properties.length > captureLimits.properties || Buffer.byteLength(line) > importLimits.lineBytes)
    throw notExportable(owner, "needs more than a line of an import may have");
  return line;
};
