import { isFuzzing, isLong } from "../../runs.ts";
import type { GraphSpec, InputsSpec, FilterSpec, NodeSpec } from "../model.ts";
import { filterPasses, patternMatches, readRows, TooBig } from "../outcome.ts";
import type { KbacSpec, ProjectionSpec, QuerySpec } from "../policy.ts";
import { trustDimensions, worldOf } from "../world.ts";
import { condition, type Ends } from "./conditions.ts";
import type { Draw } from "./draw.ts";
import { Expressions } from "./expressions.ts";
import { filter } from "./filters.ts";
import { type Cast, cast, extraLabels, graph, inputs, textProperties, wholeProperties } from "./graphs.ts";
import { namesOfKind, type Scope, type Studio } from "./scope.ts";

/** What is asked of the policies of a group beside the decisions in rows; each costs the database a new plan. */
export interface Extent {
  readonly plain: boolean;
  readonly searchResource: boolean;
  readonly searchSubject: boolean;
}

/** Policies of one type pair over one graph, asked with several inputs. */
export interface KbacGroup {
  readonly extent: Extent;
  readonly graph: GraphSpec;
  readonly inputs: readonly InputsSpec[];
  readonly policies: readonly KbacSpec[];
}

export interface QueryGroup {
  readonly graph: GraphSpec;
  readonly inputs: readonly InputsSpec[];
  readonly queries: readonly QuerySpec[];
}

/** Those of one group are decided by one statement, which takes the database longer to plan the more they are. */
export const policiesPerGroup = isFuzzing() || isLong() ? 8 : 4;
/** A case is one policy over one graph with one set of inputs; those of one policy share its plan in the database. */
const inputsPerGroup = isFuzzing() || isLong() ? 2 : 6;
export const casesPerGroup = policiesPerGroup * inputsPerGroup;

/** How much a group holds. A policy is drawn until it decides something for one of the inputs, which takes time for each. */
interface GroupSize {
  readonly policies: number;
  readonly inputs: number;
}
const usualSize: GroupSize = { policies: policiesPerGroup, inputs: inputsPerGroup };
/** For tests that ask with one set of inputs. */
export const oneInput: GroupSize = { policies: policiesPerGroup, inputs: 1 };
/** For tests that also ask much of each policy: several small groups are checked at the same time, and no more than wanted. */
export const smallGroup: GroupSize = { policies: 2, inputs: 1 };

const studioOf = (draw: Draw, drawn: GraphSpec, kbac: boolean, ends: Ends, calls = false): Studio => ({
  calls,
  types: new Map([...ends.nodes].map(([name, { type }]) => [name, type])),
  draw,
  expressions: (studio, scope) => new Expressions(studio, scope),
  graph: drawn,
  labels: [...new Set(drawn.nodes.map(({ type }) => type)), ...extraLabels],
  kbac,
});

const ofType = ({ nodes }: GraphSpec, type: string): readonly NodeSpec[] =>
  nodes.filter((node) => node.type === type);

const style = (draw: Draw) => ({
  small: draw.chance(0.2),
  tight: draw.chance(0.3),
  parentheses: draw.chance(0.3),
});

const scored = ({ nodes }: GraphSpec): boolean => nodes.some(({ trust }) => trust !== undefined);

const drawPolicy = (draw: Draw, drawn: GraphSpec, { subjectType, resourceType }: Cast): KbacSpec => {
  const version = draw.pick(["2.0-kbac", "2.0-kbac", "3.0-kbac"] as const);
  const ends: Ends = {
    nodes: new Map([
      ["subject", draw.pick(ofType(drawn, subjectType))],
      ["resource", draw.pick(ofType(drawn, resourceType))],
    ]),
    cuts: !scored(drawn) && draw.chance(0.3),
  };
  const { clauses } = condition(
    studioOf(draw, drawn, true, ends, version === "3.0-kbac" && draw.chance(0.6)),
    ends,
  );
  const filtered = draw.maybe(0.35, () => filter({ draw, request: true }, undefined));
  return {
    version,
    subjectType,
    resourceType,
    clauses,
    ...(filtered && { filter: filtered }),
    style: style(draw),
  };
};

/** Share of the pairs that a policy grants with these inputs. */
export const grantedShare = (policy: KbacSpec, drawn: GraphSpec, given: InputsSpec): number => {
  const world = worldOf(drawn);
  const pairs = ofType(drawn, policy.subjectType).flatMap((subject) =>
    ofType(drawn, policy.resourceType).map((resource) => [subject.id, resource.id] as const),
  );
  const granted = pairs.filter(
    ([subject, resource]) =>
      filterPasses(policy, given, subject, resource) &&
      patternMatches(policy, world, given, subject, resource),
  );
  return granted.length / pairs.length;
};

/** Draws until something comes out, mostly; a case too big for brute force never stays. */
const interesting = <T>(draw: Draw, make: () => T, measure: (made: T) => number): T => {
  const wanted = draw.chance(0.7);
  for (let attempt = 1; ; attempt++) {
    const made = make();
    try {
      if (measure(made) > 0 || !wanted || attempt > 12) return made;
    } catch (error) {
      if (!(error instanceof TooBig)) throw error;
    }
  }
};

export const kbacGroup = (draw: Draw, size: GroupSize = usualSize): KbacGroup => {
  const types = cast(draw);
  const drawn = graph(draw, types);
  const inputList = Array.from({ length: size.inputs }, () => inputs(draw, drawn));
  const policies = Array.from({ length: size.policies }, () =>
    interesting(
      draw,
      () => drawPolicy(draw, drawn, types),
      (policy) => Math.max(...inputList.map((given) => grantedShare(policy, drawn, given))),
    ),
  );
  const extent = {
    plain: draw.chance(0.2),
    searchResource: draw.chance(0.2),
    searchSubject: draw.chance(0.15),
  };
  return { extent, graph: drawn, inputs: inputList, policies };
};

const projection = (draw: Draw, scope: Scope): ProjectionSpec | undefined => {
  const plain = (names: readonly string[]): string[] => names.filter((name) => /^[A-Za-z_]\w*$/.test(name));
  const [nodes, edges] = [plain(namesOfKind(scope, "node")), plain(namesOfKind(scope, "edge"))];
  const values = plain(
    namesOfKind(scope, "int", "float", "text", "truth", "int-bag", "text-bag", "node-bag", "texts", "ints"),
  );
  const makers: [number, () => ProjectionSpec][] = [];
  if (nodes.length > 0)
    makers.push([
      5,
      () => ({
        kind: "node",
        alias: draw.pick(nodes),
        step: draw.pick([
          {
            to: "system",
            name: draw.pick(["external_id", "type", "id", "create_time", "update_time"] as const),
          },
          { to: "system", name: "external_id" },
          { to: "property", name: draw.pick([...wholeProperties, ...textProperties, "x", "l", "f", "none"]) },
          {
            to: "metadata",
            name: draw.pick(["n", "s"]),
            key: draw.pick(["source", "assurance_level", "verified_time"]),
          },
          { to: "trust", name: draw.pick(trustDimensions) },
        ]),
      }),
    ]);
  if (edges.length > 0)
    makers.push([
      3,
      () => ({
        kind: "edge",
        alias: draw.pick(edges),
        name: draw.pick(["w", "since", "note", "type", "create_time"]),
      }),
    ]);
  if (values.length > 0) makers.push([4, () => ({ kind: "value", alias: draw.pick(values) })]);
  return makers.length === 0 ? undefined : draw.among(makers);
};

const fixed = (how: "token" | "id"): FilterSpec => ({
  operator: "=",
  attribute: { is: "node", alias: "subject", step: { to: "system", name: "external_id" } },
  value:
    how === "token"
      ? { is: "reference", name: "token", path: ["sub"] }
      : { is: "reference", name: "id", path: [] },
});

/** Rows of a query at most: more of them tell no more. */
const maxRows = 400;

const drawQuery = (draw: Draw, drawn: GraphSpec, { subjectType }: Cast): QuerySpec => {
  const ends: Ends = {
    nodes: new Map([["subject", draw.pick(ofType(drawn, subjectType))]]),
    cuts: !scored(drawn) && draw.chance(0.3),
  };
  const { clauses, scope } = condition(studioOf(draw, drawn, false, ends), ends);
  // Whether the service pins the subject depends on the text of the policy, so the policy always does it itself, or nothing can.
  const leaf = fixed(draw.pick(["token", "id"]));
  const others = draw.list(0, 1, () => filter({ draw, request: false }, scope));
  const ofQuery = draw.chance(0.3) ? [filter({ draw, request: false }, scope)] : [];
  const projections = draw.list(1, 3, () => projection(draw, scope)).filter((each) => each !== undefined);
  return {
    subjectType,
    applicationId: ofType(drawn, "_Application")[0]?.id ?? "nobody",
    constrained: true,
    clauses,
    filters: [leaf, ...others, ...ofQuery],
    ofQuery: ofQuery.length,
    projections: [
      { kind: "node", alias: "subject", step: { to: "system", name: "external_id" } },
      ...projections,
    ],
    wide: draw.chance(0.4),
    style: style(draw),
  };
};

export const queryGroup = (draw: Draw, size: GroupSize = usualSize): QueryGroup => {
  const types = cast(draw);
  const drawn = graph(draw, types);
  const sub = ofType(drawn, types.subjectType)[0]?.id ?? "nobody";
  const inputList = Array.from({ length: size.inputs }, () => inputs(draw, drawn)).map((given) => ({
    ...given,
    params: { ...given.params, id: sub },
    token: { ...given.token, sub },
  }));
  const world = worldOf(drawn);
  const queries = Array.from({ length: size.policies }, () =>
    interesting(
      draw,
      () => drawQuery(draw, drawn, types),
      (query) => {
        const rows = Math.max(...inputList.map((given) => readRows(query, world, given).length));
        if (rows > maxRows) throw new TooBig("too many rows");
        return rows;
      },
    ),
  );
  return { graph: drawn, inputs: inputList, queries };
};
