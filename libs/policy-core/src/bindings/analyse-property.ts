import type { Expression, Property } from "../cypher/ast.ts";
import { namePattern } from "../json.ts";
import { isFault, isWildcard, readNodePath, readRelationshipPath } from "../paths/path.ts";
import { referenceOf, type ParameterCheck } from "../values/reference.ts";
import { holdsGraph, memberKind, unknown, value, type Kind } from "./kind.ts";
import type { Scope, AnalysisReport } from "./scope.ts";
import type { Visitor } from "./visitor.ts";

const unroll = (expression: Property): { root: Expression; keys: readonly string[] } => {
  const keys: string[] = [];
  let at: Expression = expression;
  while (at.kind === "property") {
    keys.unshift(at.key);
    at = at.target;
  }
  return { root: at, keys };
};

export const referenceKind = (
  expression: Expression,
  name: string,
  keys: readonly string[],
  parameterCheck: ParameterCheck,
  report: AnalysisReport,
): Kind => {
  const found = referenceOf(name, keys, report.language);
  if ("fault" in found) report.fault(expression.at, found.fault);
  else {
    report.references.set(expression, found);
    report.needs.add(found, parameterCheck);
  }
  return unknown;
};

/** A node path's alias is only for messages and matching; the root may be any expression that yields a node. */
const pathText = (root: Expression, keys: readonly string[]): string =>
  [root.kind === "variable" ? root.name : "node", ...keys].join(".");

export const propertyKind = (
  expression: Property,
  scope: Scope,
  visitor: Visitor,
  parameterCheck: ParameterCheck,
): Kind => {
  const { report } = visitor;
  const { root, keys } = unroll(expression);
  const invalid = keys.find((key) => !namePattern.test(key));
  if (invalid !== undefined) {
    report.fault(expression.at, `"${invalid.slice(0, 64)}" is not a property name`);
    return unknown;
  }
  if (root.kind === "parameter") return referenceKind(expression, root.name, keys, parameterCheck, report);
  const kind = visitor.expression(root, scope);
  switch (kind.kind) {
    case "node": {
      const path = readNodePath(pathText(root, keys));
      if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
      else if (isWildcard(path)) {
        report.fault(expression.at, "wildcards are allowed in allow-lists and projections only");
      } else report.paths.set(expression, { kind: "node-path", root, path });
      return value;
    }
    case "relationship": {
      const path = readRelationshipPath(pathText(root, keys));
      if (isFault(path)) report.fault(expression.at, `${keys.join(".")}: ${path.fault}`);
      else report.paths.set(expression, { kind: "relationship-path", root, path });
      return value;
    }
    case "map":
      return mapMemberKind(expression, kind, keys, visitor);
    case "path":
    case "list":
    case "mixed":
      report.fault(expression.at, `${noMembers[kind.kind]} has no property "${keys[0] ?? ""}"`);
      return unknown;
    case "value":
    case "unknown":
      return unknown;
  }
};

const noMembers = { path: "a path", list: "a list", mixed: "a value that may be a node" } as const;

/** Reads the members of a map literal; a node in it is read by a path of the language. */
const mapMemberKind = (expression: Property, map: Kind, keys: readonly string[], visitor: Visitor): Kind => {
  let kind = map;
  for (const key of keys) {
    if (kind.kind !== "map" && holdsGraph(kind)) {
      visitor.report.fault(
        expression.at,
        `name the node or relationship in "${keys.join(".")}" by WITH before its properties`,
      );
      return unknown;
    }
    kind = memberKind(kind, key);
  }
  return kind;
};

/** `target[index]`: of lists and maps. A node's properties are not reached by a computed name. */
export const subscriptKind = (
  expression: Extract<Expression, { kind: "index" }>,
  scope: Scope,
  visitor: Visitor,
): Kind => {
  visitor.expression(expression.index, scope);
  const target = visitor.expression(expression.target, scope);
  if (target.kind === "list") return target.of;
  if (target.kind === "map") {
    return memberKind(target, expression.index.kind === "string" ? expression.index.value : undefined);
  }
  if (holdsGraph(target)) {
    visitor.report.fault(
      expression.at,
      "a subscript reads no property of a node or relationship; write x.property.<name>",
    );
  }
  return unknown;
};
