/** What the policies of every kind have in common. */
import { isNodeType } from "../bindings/kind.ts";
import { type Faults, type JsonObject, member, readName, readObject, typePattern } from "../json.ts";

/** Values of `meta.policy_version` of policies for decisions. */
export const kbacVersions = ["2.0-kbac", "3.0-kbac"] as const;

export type KbacVersion = (typeof kbacVersions)[number];

const typeReason = "2-64 letters, digits and _, beginning with a letter or _";

/** The `type` of the object at `key`. */
export const readType = (policy: JsonObject, key: string, faults: Faults): string | undefined => {
  const object = readObject(member(policy, key), `policy.${key}`, ["type"], faults);
  const path = `policy.${key}.type`;
  const type = object && readName(member(object, "type"), path, typePattern, typeReason, faults);
  if (type !== undefined && !isNodeType(type)) faults.add(path, `"${type}" is not a node type`);
  return type;
};
