import { leavesOf, type Filter } from "@ikg/policy-core";
import { patternParts } from "@ikg/policy-core/explain";
import { formatPlace } from "@ikg/sources";
import type { PolicyDefinition, QueryDefinition, World } from "../file/world.ts";

/** A part or outcome of a policy or query that a test can cover. */
export interface Unit {
  readonly key: string;
  /** Message if no test covers it. */
  readonly missing: string;
}

/** A policy or query with all its units. */
export interface Subject {
  /** Identifies the text and its position, so that test files that share it are counted together. */
  readonly key: string;
  readonly kind: "policy" | "query";
  readonly name: string;
  readonly place: string;
  readonly units: readonly Unit[];
}

const shown = (value: unknown): string => JSON.stringify(value) ?? "";

/** A leaf of a filter as written in the policy. */
const leafText = (json: unknown, path: string): string => {
  const steps = path
    .split(/[.[\]]+/)
    .slice(1)
    .filter((step) => step !== "");
  const at = steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    json,
  );
  const { attribute, operator, value } = (at ?? {}) as Record<string, unknown>; // a leaf, or an AND of one given as a list
  return [attribute, operator, value]
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === "string" ? part : shown(part)))
    .join(" ");
};

const leafUnits = (
  definition: PolicyDefinition | QueryDefinition,
  filter: Filter | undefined,
): readonly Unit[] => {
  if (filter === undefined) return [];
  const json: unknown = JSON.parse(definition.text);
  return leavesOf(filter).flatMap(({ path }) => {
    const where = formatPlace(definition.placeOfFault(`${path}: `));
    const text = leafText(json, path);
    return [true, false].map((truth) => ({
      key: `leaf ${path} ${truth}`,
      missing: `never ${truth}: ${text} (${where})`,
    }));
  });
};

const partUnits = (definition: PolicyDefinition): readonly Unit[] =>
  definition.compiled === undefined
    ? []
    : patternParts(definition.compiled).map(({ text, from }) => ({
        key: partKey(from),
        missing: `never failed: ${text.replaceAll(/\s+/g, " ")} (${formatPlace(
          definition.placeOfFault(`policy.condition.cypher: (line ${from.line}, column ${from.column})`),
        )})`,
      }));

export const partKey = ({ line, column }: { readonly line: number; readonly column: number }): string =>
  `part ${line}:${column}`;

export const policyKey = ({ place, name, text }: PolicyDefinition | QueryDefinition): string =>
  `${place.file} ${name} ${text}`;

const policySubject = (definition: PolicyDefinition): Subject => {
  const { compiled, name } = definition;
  const actions =
    compiled?.kind === "kbac"
      ? compiled.actions.map((action) => ({
          key: `action ${action}`,
          missing: `action never asked: ${action}`,
        }))
      : [];
  const [granted, denied] =
    compiled?.kind === "kbac" ? ["granted", "denied"] : ["answered rows", "answered none"];
  const filters = compiled?.kind === "ciq" ? [compiled.tokenFilter, compiled.filter] : [compiled?.filter];
  return {
    key: policyKey(definition),
    kind: "policy",
    name,
    place: formatPlace(definition.placeOfFault("policy: ")),
    units: [
      ...actions,
      { key: "granted", missing: `never ${granted}` },
      { key: "denied", missing: `never ${denied}` },
      ...filters.flatMap((filter) => leafUnits(definition, filter?.filter)),
      ...partUnits(definition),
    ],
  };
};

const querySubject = (definition: QueryDefinition): Subject => ({
  key: policyKey(definition),
  kind: "query",
  name: definition.name,
  place: formatPlace(definition.placeOfFault("query: ")),
  units: [
    { key: "asked", missing: "never asked" },
    ...leafUnits(definition, definition.compiled?.filter?.filter),
  ],
});

/** The units of the ACTIVE policies and queries of a world. */
export const subjectsOf = ({ policies, queries }: World): readonly Subject[] => [
  ...policies.filter(({ status }) => status === "ACTIVE").map(policySubject),
  ...queries.filter(({ status }) => status === "ACTIVE").map(querySubject),
];
