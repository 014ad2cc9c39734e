import type { Fields } from "./project-files.ts";

/** A record as readable YAML: Cypher is a block scalar, and lines are not folded. */
export const yamlText = async (fields: Fields): Promise<string> => {
  const { Document, isScalar, visit } = await import("../output/yaml.ts");
  const document = new Document(fields, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && key.value === "cypher" && isScalar(value) && typeof value.value === "string")
        value.type = "BLOCK_LITERAL";
    },
  });
  return document.toString({ lineWidth: 0 });
};
