import {
  loadPolicyVersions,
  type PolicyVersion,
  type ProjectSnapshot,
  type StoredKbacPolicy,
} from "@ikg/catalog";
import type { Unknown } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import { versionKey } from "@ikg/physical";
import type { Budget } from "@ikg/policy-core";
import { withPolicies } from "../simulations/after-changes.ts";

/** Versions that are held at most before they are read again. */
const maxVersions = 2_000;

const keyOf = ({ id, version }: PolicyVersion): string => versionKey(id, version);

/** A project with the policies that were evaluated when a decision was recorded, or why it cannot be had. */
type FormerSnapshot = ProjectSnapshot | Unknown;

export interface FormerPolicies {
  /** Reads versions that are not known yet, all at once. */
  load(versions: readonly PolicyVersion[]): Promise<void>;
  /** @param versions loaded before. */
  snapshotOf(versions: readonly PolicyVersion[]): FormerSnapshot;
}

export interface FormerPoliciesParts {
  readonly snapshot: ProjectSnapshot;
  /** Where configuration records live. */
  readonly database: Database;
  readonly budget: Budget;
  readonly options: StatementOptions;
}

/** The policies of a project in the versions that records name; snapshots of equal versions are one object. */
export const formerPolicies = ({
  snapshot,
  database,
  budget,
  options,
}: FormerPoliciesParts): FormerPolicies => {
  const today = new Map(snapshot.kbacPolicies().map((policy) => [keyOf(policy), policy]));
  const loaded = new Map<string, StoredKbacPolicy | "invalid" | undefined>();
  const snapshots = new Map<string, FormerSnapshot>();

  const make = (versions: readonly PolicyVersion[]): FormerSnapshot => {
    const policies: StoredKbacPolicy[] = [];
    const [gone, invalid]: [string[], string[]] = [[], []];
    for (const key of versions.map(keyOf)) {
      const policy = today.get(key) ?? loaded.get(key);
      if (policy === undefined) gone.push(key);
      else if (policy === "invalid") invalid.push(key);
      else policies.push(policy);
    }
    if (gone.length > 0) return { reason: "version_not_stored", missing: gone };
    if (invalid.length > 0) return { reason: "version_not_valid", missing: invalid };
    return withPolicies(snapshot, policies);
  };

  return {
    load: async (versions) => {
      if (loaded.size > maxVersions) {
        loaded.clear();
        snapshots.clear();
      }
      const wanted = new Map(
        versions.flatMap((each) => {
          const key = keyOf(each);
          return today.has(key) || loaded.has(key) ? [] : [[key, each] as const];
        }),
      );
      if (wanted.size === 0) return;
      const found = await loadPolicyVersions(
        database,
        snapshot.project.id,
        [...wanted.values()],
        budget,
        options,
      );
      for (const key of wanted.keys()) loaded.set(key, found.get(key));
    },
    snapshotOf: (versions) => {
      const key = JSON.stringify(versions.map(keyOf));
      const known = snapshots.get(key) ?? make(versions);
      snapshots.set(key, known);
      return known;
    },
  };
};
