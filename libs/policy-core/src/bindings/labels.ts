import { systemRelationships, systemTypes } from "@ikg/physical";
import type { LabelExpression } from "../cypher/ast.ts";
import { typePattern } from "../shape.ts";
import type { Report } from "./report.ts";

const readable: ReadonlySet<string> = new Set(Object.values(systemTypes));

/** True for node types of callers, and for those of the platform that a policy may read. */
export const isNodeType = (name: string): boolean =>
  name.startsWith("_") ? readable.has(name) : typePattern.test(name);

/** Checks the labels that a node pattern or label test names: node types of callers, or readable system types. */
export const checkLabels = (label: LabelExpression, report: Report): void => {
  switch (label.kind) {
    case "label":
      if (label.name === "Property") {
        report.fault(
          label.at,
          "properties are not nodes here: write x.property.<name> instead of a :Property node",
        );
      } else if (!isNodeType(label.name)) {
        report.fault(label.at, `"${label.name.slice(0, 64)}" is not a node type`);
      }
      return;
    case "label-and":
    case "label-or":
      for (const part of label.parts) checkLabels(part, report);
      return;
    case "label-not":
      checkLabels(label.part, report);
      return;
    case "label-any":
  }
};

const readableTypes: ReadonlySet<string> = new Set(Object.values(systemRelationships));

/** Checks the types that a relationship pattern names. */
export const checkTypes = (label: LabelExpression, report: Report): void => {
  switch (label.kind) {
    case "label":
      if (label.name.length > 128 || (label.name.startsWith("_") && !readableTypes.has(label.name))) {
        report.fault(label.at, `"${label.name.slice(0, 64)}" is not a relationship type`);
      }
      return;
    case "label-and":
    case "label-or":
      for (const part of label.parts) checkTypes(part, report);
      return;
    case "label-not":
      checkTypes(label.part, report);
      return;
    case "label-any":
  }
};
