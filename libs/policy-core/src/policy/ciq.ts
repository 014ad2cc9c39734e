import { success, type Checked, type Faults } from "../checked.ts";
import { readFilters } from "../filters/read.ts";
import { resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import type { JsonObject } from "../json.ts";
import { member, readObject, readString } from "../shape.ts";
import { needsOf, type Needs } from "../values/needs.ts";
import { readAllowLists, type AllowLists } from "./allow-lists.ts";
import { readCondition, type Condition } from "./condition.ts";
import { readType } from "./kbac.ts";
import { resolveAllowLists } from "./resolve-allow-lists.ts";
import { constrainsSubject } from "./subject-pin.ts";

/** Who the platform pins `subject` to: the calling Application, the subject of the token, or the policy does it. */
export type SubjectPin = "application" | "token" | "policy";

/** A checked CIQ policy (policies specification 7). */
export interface CiqPolicy {
  readonly kind: "ciq";
  readonly subjectType: string;
  readonly condition: Condition;
  readonly filter: ResolvedFilter | undefined;
  /** Evaluated in memory after introspection, before parameters and graph. */
  readonly tokenFilter: ResolvedFilter | undefined;
  readonly allowed: AllowLists;
  readonly pin: SubjectPin;
  /** What the pattern and both filters read from the request. */
  readonly needs: Needs;
}

export const applicationType = "_Application";

const keys = ["meta", "subject", "condition", "allowed_reads", "allowed_upserts", "allowed_deletes"];

/** Checks the JSON of a `1.0-ciq` policy, stages (b) to (f) of policies specification 1. */
export const checkCiq = (policy: JsonObject, faults: Faults): Checked<CiqPolicy> => {
  readObject(policy, "policy", keys, faults);
  const subjectType = readType(policy, "subject", faults);
  const conditionKeys = ["cypher", "filter", "token_filter"];
  const condition = readObject(member(policy, "condition"), "policy.condition", conditionKeys, faults);
  const cypher = condition && readString(member(condition, "cypher"), "policy.condition.cypher", faults);
  const rawFilter = condition && readFilters(member(condition, "filter"), "policy.condition.filter", faults);
  const rawTokenFilter =
    condition && readFilters(member(condition, "token_filter"), "policy.condition.token_filter", faults);
  const rawLists = readAllowLists(policy, faults);
  if (!faults.none || cypher === undefined || subjectType === undefined) return faults.failure();

  const read = readCondition(
    cypher,
    "policy.condition.cypher",
    "ciq",
    false,
    { subject: subjectType },
    faults,
  );
  const tokenFilter = resolveFilter(rawTokenFilter, { language: "ciq", bindings: undefined }, faults);
  if (read === undefined) return faults.failure();
  const { bindings, report } = read.analysis;
  const filter = resolveFilter(rawFilter, { language: "ciq", bindings }, faults);
  const allowed = resolveAllowLists(rawLists, read, subjectType, faults);
  if (!faults.none) return faults.failure();

  const pinned = constrainsSubject(read.query, read.analysis, filter?.filter);
  return success({
    kind: "ciq",
    subjectType,
    condition: read,
    filter,
    tokenFilter,
    allowed,
    pin: subjectType === applicationType ? "application" : pinned ? "policy" : "token",
    needs: needsOf(report.needs, ...[filter, tokenFilter].flatMap((each) => (each ? [each.needs] : []))),
  });
};
