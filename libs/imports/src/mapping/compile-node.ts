import type { ColumnOf } from "./column.ts";
import { compileName, nameColumns } from "./compile-name.ts";
import { compileProperties } from "./compile-properties.ts";
import { compileWhen } from "./compile-when.ts";
import type { LineOf } from "./line-of.ts";
import { withPath } from "./mapping-fault.ts";
import type { NodeMapping } from "./schema.ts";
import { compileTemplate } from "./template.ts";

export const compileNode = (mapping: NodeMapping, columnOf: ColumnOf): LineOf => {
  const { is_identity, labels: labelMappings = [] } = mapping;
  const nameOf = compileName(mapping, columnOf);
  const matches = compileWhen(mapping.when, columnOf);
  const labelsOf = withPath(["labels"], () => labelMappings.map((each) => compileTemplate(each, columnOf)));
  const propertiesOf = compileProperties(mapping.properties, columnOf);
  const columns = nameColumns(mapping).join(", ");
  const missing = `external_id: ${columns} is empty; "when: ${columns}" skips such rows`;
  return (cells, fault) => {
    if (!matches(cells)) return undefined;
    const name = nameOf(cells);
    if (name === undefined) return fault(missing);
    const labels = labelsOf.map((labelOf) => labelOf(cells)).filter((label) => label !== undefined);
    const properties = propertiesOf(cells, fault);
    return {
      node: {
        ...name,
        ...(is_identity !== undefined && { is_identity }),
        ...(labels.length > 0 && { labels }),
        ...(properties !== undefined && { properties }),
      },
    };
  };
};
