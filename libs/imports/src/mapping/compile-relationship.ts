import type { ColumnOf } from "./column.ts";
import { compileName } from "./compile-name.ts";
import { compileProperties } from "./compile-properties.ts";
import { compileWhen } from "./compile-when.ts";
import type { LineOf } from "./line-of.ts";
import { withPath } from "./mapping-fault.ts";
import type { RelationshipMapping } from "./schema.ts";
import { compileTemplate } from "./template.ts";

/** A row in which one of the ends is empty yields no relationship: foreign keys may be empty. */
export const compileRelationship = (mapping: RelationshipMapping, columnOf: ColumnOf): LineOf => {
  const sourceOf = withPath(["source"], () => compileName(mapping.source, columnOf));
  const typeOf = withPath(["type"], () => compileTemplate(mapping.type, columnOf));
  const targetOf = withPath(["target"], () => compileName(mapping.target, columnOf));
  const matches = compileWhen(mapping.when, columnOf);
  const propertiesOf = compileProperties(mapping.properties, columnOf);
  return (cells, fault) => {
    const source = sourceOf(cells);
    const target = targetOf(cells);
    const type = typeOf(cells);
    if (source === undefined || target === undefined || type === undefined || !matches(cells))
      return undefined;
    const properties = propertiesOf(cells, fault);
    return { relationship: { source, type, target, ...(properties !== undefined && { properties }) } };
  };
};
