import type { Budget } from "../bounds/budget.ts";
import {
  success,
  type Checked,
  type Faults,
  type JsonObject,
  member,
  readArray,
  readName,
  readObject,
  readString,
} from "../json.ts";
import { limitFilter, resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import { readFilters } from "../filters/read.ts";
import { needsOf, type RequiredInputs } from "../values/reference.ts";
import { readCondition, type Condition } from "./condition.ts";
import { targetsOf, type Targets } from "./locations.ts";
import { type KbacVersion, readType } from "./shape.ts";

/** A checked KBAC policy. */
export interface KbacPolicy {
  readonly kind: "kbac";
  readonly version: KbacVersion;
  readonly subjectType: string;
  readonly actions: readonly string[];
  readonly resourceType: string;
  readonly condition: Condition;
  /** Evaluated in memory before the graph is touched. */
  readonly filter: ResolvedFilter | undefined;
  /** What the pattern and the filter read from the request; locations are not part of it. */
  readonly needs: RequiredInputs;
  /** Where the patterns run. */
  readonly targets: Targets;
}

const actionPattern = /^[A-Za-z0-9.:_\-/]{2,64}$/;

const readActions = (policy: JsonObject, faults: Faults): readonly string[] => {
  const entries = readArray(member(policy, "actions"), "policy.actions", faults);
  if (entries.length < 1 || entries.length > 5) faults.add("policy.actions", "must list 1 to 5 actions");
  const reason = "2-64 letters, digits and . : _ - /";
  const actions = entries.flatMap(
    (entry, index) => readName(entry, `policy.actions[${index}]`, actionPattern, reason, faults) ?? [],
  );
  const seen = new Set<string>();
  const repeated = actions.find((action) => {
    if (seen.has(action)) return true;
    seen.add(action);
    return false;
  });
  if (repeated !== undefined) faults.add("policy.actions", `the action "${repeated}" is listed twice`);
  return actions;
};

/** Checks the JSON of a `2.0-kbac` or `3.0-kbac` policy. */
export const checkKbac = (
  policy: JsonObject,
  version: KbacVersion,
  budget: Budget,
  faults: Faults,
): Checked<KbacPolicy> => {
  readObject(policy, "policy", ["meta", "subject", "actions", "resource", "condition"], faults);
  const subjectType = readType(policy, "subject", faults);
  const actions = readActions(policy, faults);
  const resourceType = readType(policy, "resource", faults);
  const condition = readObject(member(policy, "condition"), "policy.condition", ["cypher", "filter"], faults);
  const cypher = condition && readString(member(condition, "cypher"), "policy.condition.cypher", faults);
  const rawFilter = condition && readFilters(member(condition, "filter"), "policy.condition.filter", faults);
  if (!faults.none || cypher === undefined || subjectType === undefined || resourceType === undefined) {
    return faults.failure();
  }

  const types = { subject: subjectType, resource: resourceType };
  const read = readCondition(
    cypher,
    "policy.condition.cypher",
    "kbac",
    version === "3.0-kbac",
    types,
    budget,
    faults,
  );
  const filter = resolveFilter(rawFilter, { language: "kbac", bindings: undefined }, faults);
  limitFilter(filter, "memory", budget, faults);
  if (!faults.none || read === undefined) return faults.failure();
  const needs = needsOf(read.analysis.report.needs, ...(filter ? [filter.needs] : []));
  const targets = targetsOf(read.query);
  for (const target of targets) {
    // The value of a location is rewritten before it is used.
    if (target?.kind === "parameter" && needs.parameterChecks.has(target.name)) {
      faults.add("policy.condition", `location parameter "$${target.name}" may be used in USE clauses only`);
    }
  }
  if (!faults.none) return faults.failure();
  return success({
    kind: "kbac",
    version,
    subjectType,
    actions,
    resourceType,
    condition: read,
    filter,
    needs,
    targets,
  });
};
