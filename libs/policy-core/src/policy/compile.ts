import { isJsonObject } from "@ikg/contracts/values";
import { type Budget, defaultBudget } from "../bounds/budget.ts";
import {
  Faults,
  type JsonObject,
  member,
  readObject,
  readString,
  success,
  type Checked,
  readJson,
} from "../json.ts";
import { checkCiq, type CiqPolicy } from "./ciq.ts";
import { checkKbac, type KbacPolicy } from "./kbac.ts";
import { type KbacVersion, kbacVersions } from "./shape.ts";

const ciqVersion = "1.0-ciq";

type PolicyVersion = KbacVersion | typeof ciqVersion;

/** How KBAC policies of before 2.0 name their version; the rest of them is as it is now. */
const olderVersion = "1.0-indykite";
const olderSpelling = 'write "policy_version": "2.0-kbac"; the rest stays';

/** Reads `meta.policy_version`; anything but the three values is a fault. */
const readVersion = (policy: JsonObject, faults: Faults): PolicyVersion | undefined => {
  const given = member(policy, "meta");
  if (isJsonObject(given) && member(given, "policyVersion") !== undefined) {
    faults.add("policy.meta.policyVersion", olderSpelling);
    return undefined;
  }
  const meta = readObject(given, "policy.meta", ["policy_version"], faults);
  if (meta === undefined) return undefined;
  const text = readString(member(meta, "policy_version"), "policy.meta.policy_version", faults);
  if (text === undefined) return undefined;
  if (text === olderVersion) {
    faults.add("policy.meta.policy_version", olderSpelling);
    return undefined;
  }
  const versions: readonly PolicyVersion[] = [...kbacVersions, ciqVersion];
  const version = versions.find((each) => each === text);
  if (version === undefined) faults.add("policy.meta.policy_version", `one of ${versions.join(", ")}`);
  return version;
};

export type Policy = KbacPolicy | CiqPolicy;

/**
 * Checks the text of a policy of any version.
 *
 * @param budget what its expressions may need for one row of the database.
 * @returns the policy, or all faults of the first stage that has some, each beginning with its place
 *   (`policy.condition.cypher: USE clause is not allowed`). Never throws on any text.
 */
export const compilePolicy = (text: string, budget = defaultBudget): Checked<Policy> => {
  const faults = new Faults();
  const json = readJson(text, "policy", faults);
  if (json === undefined) return faults.failure();
  const version = readVersion(json, faults);
  if (version === undefined) return faults.failure();
  return version === ciqVersion ? checkCiq(json, budget, faults) : checkKbac(json, version, budget, faults);
};

const ofKind = <K extends Policy["kind"]>(
  text: string,
  kind: K,
  budget?: Budget,
): Checked<Extract<Policy, { kind: K }>> => {
  const checked = compilePolicy(text, budget);
  if (!checked.ok) return checked;
  return checked.value.kind === kind
    ? success(checked.value as Extract<Policy, { kind: K }>) // its kind was just compared
    : { ok: false, faults: [`policy.meta.policy_version: not a ${kind.toUpperCase()} policy`] };
};

/** Checks a text that must be a KBAC policy. */
export const compileKbac = (text: string, budget?: Budget): Checked<KbacPolicy> =>
  ofKind(text, "kbac", budget);

/** Checks a text that must be a CIQ policy. */
export const compileCiq = (text: string, budget?: Budget): Checked<CiqPolicy> => ofKind(text, "ciq", budget);
