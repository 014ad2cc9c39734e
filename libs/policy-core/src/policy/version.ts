import type { Faults } from "../checked.ts";
import type { JsonObject } from "../json.ts";
import { member, readObject, readString } from "../shape.ts";

/** Values of `meta.policy_version` (policies specification 1). */
export const kbacVersions = ["2.0-kbac", "3.0-kbac"] as const;
export const ciqVersion = "1.0-ciq";

export type KbacVersion = (typeof kbacVersions)[number];
export type PolicyVersion = KbacVersion | typeof ciqVersion;

/** Reads `meta.policy_version`; anything but the three values is a fault. */
export const readVersion = (policy: JsonObject, faults: Faults): PolicyVersion | undefined => {
  const meta = readObject(member(policy, "meta"), "policy.meta", ["policy_version"], faults);
  if (meta === undefined) return undefined;
  const text = readString(member(meta, "policy_version"), "policy.meta.policy_version", faults);
  if (text === undefined) return undefined;
  const versions: readonly PolicyVersion[] = [...kbacVersions, ciqVersion];
  const version = versions.find((each) => each === text);
  if (version === undefined) faults.add("policy.meta.policy_version", `one of ${versions.join(", ")}`);
  return version;
};
