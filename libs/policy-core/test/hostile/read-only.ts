import { getDebugTree, type SimpleTree } from "@neo4j-cypher/language-support";

/** Rules of the vendor's grammar that change something, call something or leave the project's graph. */
const forbidden = new Set([
  ...[
    "createClause",
    "insertClause",
    "mergeClause",
    "setClause",
    "removeClause",
    "deleteClause",
    "foreachClause",
  ],
  ...[
    "loadCSVClause",
    "useClause",
    "procedureName",
    "subqueryInTransactionsParameters",
    "commandWithUseGraph",
  ],
  ...["command", "createCommand", "dropCommand", "showCommand", "consoleCommand", "localDefinition"],
]);

interface Pattern {
  readonly variable: string | undefined;
  readonly labels: string;
}

const textOf = (tree: SimpleTree): string =>
  (tree.children ?? []).length === 0 ? tree.name : (tree.children ?? []).map(textOf).join("");

const patternOf = (node: SimpleTree): Pattern => {
  const part = (prefix: string) => (node.children ?? []).find(({ name }) => name.startsWith(prefix));
  const variable = part("variable");
  const labels = part("labelExpression");
  return {
    variable: variable === undefined ? undefined : textOf(variable),
    labels: labels === undefined ? "" : textOf(labels),
  };
};

/**
 * What is wrong with a statement that must only read within one project, by the vendor's parse tree and no code of
 * IKG: a clause or call that it must not have, more than one statement, or a node pattern that neither names a label
 * of the project nor a name that has one elsewhere.
 */
export const dangersOf = (statement: string, projectKey: string): readonly string[] => {
  const tree = getDebugTree(statement);
  const dangers: string[] = [];
  const patterns: Pattern[] = [];
  const waiting: SimpleTree[] = [...(tree.children ?? [])];
  if (waiting.length !== 1) dangers.push(`${waiting.length} statements`);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (forbidden.has(node.name) && (node.children ?? []).length > 0) dangers.push(node.name);
    if (node.name === "nodePattern") patterns.push(patternOf(node));
    waiting.push(...(node.children ?? []));
  }
  const ours = (labels: string): boolean => labels.includes(`__${projectKey}`);
  const bound = new Set(patterns.flatMap(({ variable, labels }) => (ours(labels) ? [variable] : [])));
  for (const { variable, labels } of patterns) {
    if (!ours(labels) && (variable === undefined || !bound.has(variable))) {
      dangers.push(`(${variable ?? ""}${labels}) has no label of the project`);
    }
  }
  return dangers;
};
