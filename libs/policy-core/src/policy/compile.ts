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

/** Values of `meta.policy_version` (policies specification 1). */
const kbacVersions = ["2.0-kbac", "3.0-kbac"] as const;
const ciqVersion = "1.0-ciq";

export type KbacVersion = (typeof kbacVersions)[number];
type PolicyVersion = KbacVersion | typeof ciqVersion;

/** Reads `meta.policy_version`; anything but the three values is a fault. */
const readVersion = (policy: JsonObject, faults: Faults): PolicyVersion | undefined => {
  const meta = readObject(member(policy, "meta"), "policy.meta", ["policy_version"], faults);
  if (meta === undefined) return undefined;
  const text = readString(member(meta, "policy_version"), "policy.meta.policy_version", faults);
  if (text === undefined) return undefined;
  const versions: readonly PolicyVersion[] = [...kbacVersions, ciqVersion];
  const version = versions.find((each) => each === text);
  if (version === undefined) faults.add("policy.meta.policy_version", `one of ${versions.join(", ")}`);
  return version;
};

export type Policy = KbacPolicy | CiqPolicy;

/**
 * Checks the text of a policy of any version.
 *
 * @returns the policy, or all faults of the first stage that has some, each beginning with its place
 *   (`policy.condition.cypher: USE clause is not allowed`). Never throws on any text.
 */
export const compilePolicy = (text: string): Checked<Policy> => {
  const faults = new Faults();
  const json = readJson(text, "policy", faults);
  if (json === undefined) return faults.failure();
  const version = readVersion(json, faults);
  if (version === undefined) return faults.failure();
  return version === ciqVersion ? checkCiq(json, faults) : checkKbac(json, version, faults);
};

const ofKind = <K extends Policy["kind"]>(text: string, kind: K): Checked<Extract<Policy, { kind: K }>> => {
  const checked = compilePolicy(text);
  if (!checked.ok) return checked;
  return checked.value.kind === kind
    ? success(checked.value as Extract<Policy, { kind: K }>) // its kind was just compared
    : { ok: false, faults: [`policy.meta.policy_version: not a ${kind.toUpperCase()} policy`] };
};

/** Checks a text that must be a KBAC policy. */
export const compileKbac = (text: string): Checked<KbacPolicy> => ofKind(text, "kbac");

/** Checks a text that must be a CIQ policy. */
export const compileCiq = (text: string): Checked<CiqPolicy> => ofKind(text, "ciq");
