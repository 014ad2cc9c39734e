import type { Clause, Node, PathPattern, Query } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import type { Excess } from "./walk.ts";

/**
 * Limit of the relationships that the database plans together: those of MATCH clauses without a WITH between them. Planning time
 * grows faster than their number: 24 take four times as long as 12.
 */
export const maxPlannedTogether = 12;

/** Limit of the patterns that are planned together and share no named node. Two of 12 relationships each take 40 s. */
export const maxApart = 8;

/** Limit of the relationships of a condition, subqueries included. */
export const maxRelationships = 30;

/** A connected component of a pattern graph, connected by shared names. */
interface Component {
  readonly at: number;
  readonly names: ReadonlySet<string>;
}

/** The components after a pattern has joined those with which it shares names. */
const joinedBy = (components: readonly Component[], { elements, at }: PathPattern): readonly Component[] => {
  const names = new Set(elements.flatMap(({ variable }) => variable ?? []));
  const shares = (component: Component): boolean => [...component.names].some((name) => names.has(name));
  const shared = components.filter(shares);
  const joined = {
    at: shared[0]?.at ?? at,
    names: new Set([...names, ...shared.flatMap((each) => [...each.names])]),
  };
  return [...components.filter((each) => !shared.includes(each)), joined];
};

/** The fault of patterns that take too long to plan together; undefined where there is none. */
const patternsExcess = (patterns: readonly PathPattern[]): Excess | undefined => {
  const relationships = patterns.flatMap(({ elements }) =>
    elements.filter(({ kind }) => kind === "relationship"),
  );
  const tooMany = relationships[maxPlannedTogether];
  if (tooMany !== undefined)
    return {
      at: tooMany.at,
      fault: `more than ${maxPlannedTogether} relationships are planned together; write WITH * between MATCH clauses, or EXISTS { } for a part`,
    };
  if (patterns.length <= maxApart) return undefined;
  const apart = patterns.reduce(joinedBy, [])[maxApart];
  return apart === undefined
    ? undefined
    : {
        at: apart.at,
        fault: `more than ${maxApart} patterns that share no node are planned together; write WITH * between MATCH clauses`,
      };
};

/** The patterns of clauses that are planned together; those of an OPTIONAL MATCH are planned alone. */
const plannedTogether = (clauses: readonly Clause[]): readonly (readonly PathPattern[])[] => {
  const groups: PathPattern[][] = [];
  let together: PathPattern[] | undefined;
  for (const clause of clauses) {
    if (clause.kind !== "match") together = undefined;
    else if (clause.optional) groups.push([...clause.patterns]);
    else if (together === undefined) groups.push((together = [...clause.patterns]));
    else together.push(...clause.patterns);
  }
  return groups;
};

const groupsIn = (node: Node): readonly (readonly PathPattern[])[] => {
  switch (node.kind) {
    case "query":
      return plannedTogether(node.clauses);
    case "pattern-body":
      return [node.patterns];
    case "pattern-predicate":
    case "pattern-comprehension":
      return [[node.pattern]];
    default:
      return [];
  }
};

/** Why the database would plan the patterns of a text for too long; undefined where it would not. */
export const patternExcess = (query: Query): Excess | undefined => {
  let relationships = 0;
  for (const node of nodesOf(query)) {
    for (const group of groupsIn(node)) {
      const found = patternsExcess(group);
      if (found !== undefined) return found;
    }
    if (node.kind !== "relationship") continue;
    relationships += 1;
    if (relationships > maxRelationships)
      return {
        at: node.at,
        fault: `more than ${maxRelationships} relationships; make several policies of them`,
      };
  }
  return undefined;
};
