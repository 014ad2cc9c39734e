import { keyField, nodeLabel, quoteName, typeLabel, type ProjectKey } from "@ikg/physical";
import type { Expression, Query } from "../cypher/ast.ts";
import { printTree } from "../cypher/printer.ts";

/** `(name:Type&_Node {_key: key})`: one node by its unique key. */
export const nodeByKey = (name: string, type: string, pk: ProjectKey, key: Expression): string =>
  `(${quoteName(name)}:${quoteName(typeLabel(type, pk))}&${nodeLabel} {${keyField}: ${printTree(key)}})`;

/** The clauses of a rewritten text, one line each. */
export const printClauses = (query: Query): string => query.clauses.map(printTree).join("\n");

/** Indents every line, so that a logged statement can be read. */
export const indent = (text: string): string => text.replaceAll(/^/gm, "  ");
