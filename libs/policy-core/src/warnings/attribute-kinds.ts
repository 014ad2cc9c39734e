import type { Operand } from "../filters/filter.ts";

/** What a filter attribute holds whenever it holds something; undefined where that depends on data. */
type AttributeKind = "string" | "number" | undefined;

/** Claims that are computed for each request, in seconds. */
const ages: ReadonlySet<string> = new Set(["auth_age", "token_age"]);

export const attributeKind = (attribute: Operand): AttributeKind => {
  switch (attribute.kind) {
    case "reference":
      switch (attribute.reference.kind) {
        case "application":
        case "platform":
          return "string";
        case "token":
          return ages.has(attribute.reference.path.join(".")) ? "number" : undefined;
        default:
          return undefined;
      }
    case "node-path":
      if (attribute.path.kind === "system") return "string";
      return attribute.path.kind === "trust" ? "number" : undefined;
    case "relationship-path":
      return attribute.path.kind === "property" &&
        ["type", "create_time", "update_time"].includes(attribute.path.name)
        ? "string"
        : undefined;
    default:
      return undefined;
  }
};
