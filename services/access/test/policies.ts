/** KBAC policies of tests, and snapshots of projects that have them. */
import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { compileKbac } from "@ikg/policy-core";

/** What a policy says. */
export interface PolicyText {
  readonly cypher: string;
  readonly filter?: unknown;
  /** `2.0-kbac` where it is absent. */
  readonly version?: string;
  readonly subject?: string;
  readonly actions?: readonly string[];
  readonly resource?: string;
}

/** The JSON of a policy, by which a Nurse may READ a Chart unless it says otherwise. */
export const policyBody = ({ cypher, filter, version, subject, actions, resource }: PolicyText) => ({
  meta: { policy_version: version ?? "2.0-kbac" },
  subject: { type: subject ?? "Nurse" },
  actions: actions ?? ["READ"],
  resource: { type: resource ?? "Chart" },
  condition: { cypher, ...(filter === undefined ? {} : { filter }) },
});

/**
 * A policy in force, as the catalog has it. Unless `fields` say otherwise, its id and its name are its Cypher,
 * its version is 1, and it has no tags.
 *
 * @throws an Error with every fault of a text that is refused
 */
export const storedPolicy = (
  policyText: PolicyText,
  fields: Partial<Pick<StoredKbacPolicy, "id" | "name" | "version" | "tags">> = {},
): StoredKbacPolicy => {
  const { cypher } = policyText;
  const text = JSON.stringify(policyBody(policyText));
  const checked = compileKbac(text);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return { id: cypher, name: cypher, version: 1, tags: [], ...fields, text, policy: checked.value };
};

/** A snapshot of a project that has these policies and no other records. */
export const snapshotOf = (
  project: CatalogProject,
  policies: readonly StoredKbacPolicy[],
): ProjectSnapshot => {
  const lists = new Map<string, readonly StoredKbacPolicy[]>();
  return {
    project,
    kbacPolicies: () => policies,
    kbacCandidates: (subject, action, resource) => {
      const key = `${subject} ${action} ${resource}`;
      // The same list for the same question, as the catalog has it: statements are cached by their list.
      const list =
        lists.get(key) ??
        policies.filter(
          ({ policy }) =>
            policy.subjectType === subject &&
            policy.actions.includes(action) &&
            policy.resourceType === resource,
        );
      lists.set(key, list);
      return list;
    },
    query: () => undefined,
    queries: () => [],
    mcpServer: undefined,
    resolver: () => undefined,
    resolvers: () => [],
    introspects: [],
  };
};
