/** Values of `meta.policy_version`. */
export const versions = ["2.0-kbac", "3.0-kbac", "1.0-ciq"] as const;

export type Version = (typeof versions)[number];

/** A policy about archivists and, for KBAC, films. */
export const policyOf = (
  version: Version,
  condition: object,
  more: object = {},
): Readonly<Record<string, unknown>> => ({
  meta: { policy_version: version },
  subject: { type: "Archivist" },
  ...(version === "1.0-ciq" ? {} : { actions: ["DESCRIBE"], resource: { type: "Film" } }),
  condition,
  ...more,
});
