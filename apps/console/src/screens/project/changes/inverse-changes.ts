import type { ChangeRecordWithTexts, ChangeSetEntry } from "@ikg/client";

type PutPolicy = Extract<ChangeSetEntry, { op: "put"; collection: "authorization-policies" }>;

/** What a revert does to policies, as a simulation takes it: queries give no access. Undefined: it is about none. */
export const inversePolicies = ({
  changes,
}: Pick<ChangeRecordWithTexts, "changes">): readonly ChangeSetEntry[] | undefined => {
  const policies = changes.filter(({ collection }) => collection === "authorization-policies");
  if (policies.length === 0) return undefined;
  return policies.map(({ name, before }): ChangeSetEntry => {
    const target = { collection: "authorization-policies", name } as const;
    if (before === undefined) return { op: "delete", ...target };
    // The record of a change has the fields as a put takes them.
    return { op: "put", ...target, record: before as unknown as PutPolicy["record"] };
  });
};
