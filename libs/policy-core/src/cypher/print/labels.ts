import { printName } from "./names.ts";
import type { LabelExpression } from "../ast.ts";

/** A label expression without its leading colon, every compound part in parentheses. */
export const printLabel = (label: LabelExpression): string => {
  switch (label.kind) {
    case "label":
      return printName(label.name);
    case "label-any":
      return "%";
    case "label-not":
      return `!${part(label.part)}`;
    case "label-and":
      return label.parts.map(part).join("&");
    case "label-or":
      return label.parts.map(part).join("|");
  }
};

const part = (label: LabelExpression): string =>
  label.kind === "label-and" || label.kind === "label-or" ? `(${printLabel(label)})` : printLabel(label);
