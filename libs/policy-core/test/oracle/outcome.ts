import { runClauses } from "./clauses.ts";
import { evaluate, memberOf } from "./expressions.ts";
import { testFilter } from "./filters.ts";
import type { InputsSpec, ReferenceExpr } from "./model.ts";
import type { KbacSpec, ProjectionSpec, QuerySpec } from "./policy.ts";
import { edgeAttribute, nodeAttribute, type Pin, type Row, type Setting } from "./setting.ts";
import { isNode, type Value } from "./values.ts";
import { valueOf, type World } from "./world.ts";

/** A case whose brute force would take too long; the generator draws another one. */
export class TooBig extends Error {}

const budget = (): (() => void) => {
  let left = 40_000;
  return () => {
    if (--left < 0) throw new TooBig("too many assignments");
  };
};

/** Values that the platform itself binds, by name. */
type Platform = ReadonlyMap<string, Value>;

const lookUpIn =
  (inputs: InputsSpec, platform: Platform) =>
  ({ name, path }: ReferenceExpr): Value => {
    const own = platform.get(name);
    if (own !== undefined) return own;
    if (name === "token") return memberOf(valueOf(inputs.token), path);
    if (name === "request") return memberOf(valueOf(inputs.request), path);
    return memberOf(valueOf(inputs.params[name]), path);
  };

const setting = (
  world: World,
  pins: ReadonlyMap<string, Pin>,
  inputs: InputsSpec,
  platform: Platform,
): Setting => ({
  world,
  pins,
  lookUp: lookUpIn(inputs, platform),
  evaluate,
  spend: budget(),
});

const platformOf = (policy: KbacSpec, subject: string | undefined, resource: string | undefined): Platform =>
  new Map<string, Value>([
    ["subject_external_id", subject ?? null],
    ["subject_type", policy.subjectType],
    ["resource_external_id", resource ?? null],
    ["resource_type", policy.resourceType],
  ]);

/** The filter of a KBAC policy alone, decided before the graph is touched. */
export const filterPasses = (
  policy: KbacSpec,
  inputs: InputsSpec,
  subject: string | undefined,
  resource: string | undefined,
): boolean =>
  policy.filter === undefined ||
  testFilter(policy.filter, new Map(), {
    lookUp: lookUpIn(inputs, platformOf(policy, subject, resource)),
    tokenSent: inputs.token !== undefined,
  }) === true;

interface Ends {
  readonly subject: string;
  readonly resource: string;
}

/** The rows of the pattern. @param pinned the ends that are pinned @param known those whose ids values of the platform have */
const matches = (
  policy: KbacSpec,
  world: World,
  inputs: InputsSpec,
  pinned: Partial<Ends>,
  known: Partial<Ends>,
): readonly Row[] => {
  const pins = new Map<string, Pin>([
    ["subject", { type: policy.subjectType, id: pinned.subject }],
    ["resource", { type: policy.resourceType, id: pinned.resource }],
  ]);
  const platform = platformOf(policy, known.subject, known.resource);
  return runClauses(policy.clauses, new Map(), setting(world, pins, inputs, platform));
};

/** Does the pattern match with both ends pinned? The filter is not asked. */
export const patternMatches = (
  policy: KbacSpec,
  world: World,
  inputs: InputsSpec,
  subject: string,
  resource: string,
): boolean => matches(policy, world, inputs, { subject, resource }, { subject, resource }).length > 0;

const idsOf = (rows: readonly Row[], name: keyof Ends): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row) => {
      const node = row.get(name) ?? null;
      return isNode(node) && node.externalId !== null ? [node.externalId] : [];
    }),
  );

/**
 * The ends that a search finds: those in rows of the pattern, of which SKIP and LIMIT may have cut some, that decisions grant as
 * well. Where a name is bound in several places, such a row may have another node in each; a decision pins all of them.
 */
const search = (
  policy: KbacSpec,
  world: World,
  inputs: InputsSpec,
  given: Partial<Ends>,
  sought: keyof Ends,
): ReadonlySet<string> => {
  const found = idsOf(matches(policy, world, inputs, given, given), sought);
  const isGranted = (id: string): boolean =>
    idsOf(matches(policy, world, inputs, { ...given, [sought]: id }, given), sought).has(id);
  return new Set([...found].filter(isGranted));
};

/** Resources that the pattern finds for a pinned subject. */
export const searchResources = (
  policy: KbacSpec,
  world: World,
  inputs: InputsSpec,
  subject: string,
): ReadonlySet<string> => search(policy, world, inputs, { subject }, "resource");

/** Subjects that the pattern finds for a pinned resource. */
export const searchSubjects = (
  policy: KbacSpec,
  world: World,
  inputs: InputsSpec,
  resource: string,
): ReadonlySet<string> => search(policy, world, inputs, { resource }, "subject");

const projected = (spec: ProjectionSpec, row: Row): Value => {
  const value = row.get(spec.alias) ?? null;
  switch (spec.kind) {
    case "node":
      return isNode(value) ? nodeAttribute(value, spec.step) : null;
    case "edge":
      return edgeAttribute(value, spec.name);
    case "value":
      return value;
  }
};

/** The rows of a reading query before paging, one list of projected values each. */
export const readRows = (
  query: QuerySpec,
  world: World,
  inputs: InputsSpec,
): readonly (readonly Value[])[] => {
  const token = valueOf(inputs.token);
  const pinnedId = query.subjectType === "_Application" ? query.applicationId : memberOf(token, ["sub"]);
  const id = query.constrained && query.subjectType !== "_Application" ? undefined : pinnedId;
  // Without a claim to pin to there is no subject.
  if (id !== undefined && typeof id !== "string") return [];
  const pins = new Map<string, Pin>([["subject", { type: query.subjectType, id }]]);
  const platform = new Map<string, Value>([["_appId", query.applicationId]]);
  const filters = { lookUp: lookUpIn(inputs, platform), tokenSent: inputs.token !== undefined };
  return runClauses(query.clauses, new Map(), setting(world, pins, inputs, platform))
    .filter((row) => query.filters.every((filter) => testFilter(filter, row, filters) === true))
    .map((row) => query.projections.map((each) => projected(each, row)));
};
