import {
  type Budget,
  type Checked,
  type CiqPolicy,
  compileCiq,
  compileKbac,
  type KbacPolicy,
} from "@ikg/policy-core";
import { compileQuery, type KnowledgeQuery } from "@ikg/policy-core/queries";
import { lazy } from "./lazy.ts";
import type { StoredRow } from "./stored.ts";

/** An ACTIVE KBAC policy. */
export interface StoredKbacPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly tags: readonly string[];
  /** JSON as its author wrote it. */
  readonly text: string;
  readonly policy: KbacPolicy;
}

/** An ACTIVE knowledge query with its ACTIVE policy. */
export interface StoredQuery {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly version: number;
  readonly policyId: string;
  readonly policyName: string;
  readonly policyVersion: number;
  readonly policy: CiqPolicy;
  /** Checked against the policy as it is now; faults when that allows it no longer. */
  readonly query: Checked<KnowledgeQuery>;
}

export interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** One state of an ACTIVE policy; its text is compiled once, on first use. */
export interface PolicyState {
  readonly row: StoredRow;
  /** What a request must name to be answered by it; undefined for CIQ policies. */
  readonly key:
    | { readonly subject: string; readonly actions: readonly string[]; readonly resource: string }
    | undefined;
  /** Undefined for CIQ policies, and for a text that this version of the product refuses. */
  kbac(): StoredKbacPolicy | undefined;
  ciq(): CiqPolicy | undefined;
}

/** Types and actions of a KBAC text that was checked when it was saved. Cheap compared with compiling it. */
const keyOf = (text: string): PolicyState["key"] => {
  const json = JSON.parse(text) as {
    subject: { type: string };
    actions: string[];
    resource: { type: string };
  }; // checked on save
  return { subject: json.subject.type, actions: json.actions, resource: json.resource.type };
};

/** Logs how many faults a refused text has, and not the faults: they quote the text of its author. */
const acceptPolicy = <T>(checked: Checked<T>, row: StoredRow, log: Log): T | undefined => {
  if (checked.ok) return checked.value;
  log.warn("a stored policy is no longer valid and is skipped", {
    policy: row.id,
    version: row.version,
    faults: checked.faults.length,
  });
  return undefined;
};

/** @param row with its text. @param budget what its expressions may need */
export const policyState = (row: StoredRow, log: Log, budget?: Budget): PolicyState => {
  const text = row.text ?? "";
  const isKbac = row.policyKind === "kbac";
  return {
    row,
    key: isKbac ? keyOf(text) : undefined,
    kbac: lazy(() => {
      const policy = isKbac ? acceptPolicy(compileKbac(text, budget), row, log) : undefined;
      if (policy === undefined) return undefined;
      const { id, name, version, data } = row;
      return { id, name, version, tags: data["tags"] as readonly string[], text, policy }; // written from the contract's schema
    }),
    ciq: lazy(() => (isKbac ? undefined : acceptPolicy(compileCiq(text, budget), row, log))),
  };
};

/** One state of an ACTIVE query with one state of its policy. */
export interface QueryState {
  readonly row: StoredRow;
  readonly policy: PolicyState | undefined;
  /** Undefined without an ACTIVE policy. */
  stored(): StoredQuery | undefined;
}

/** @param row with its text. */
export const queryState = (row: StoredRow, policy: PolicyState | undefined, budget?: Budget): QueryState => ({
  row,
  policy,
  stored: lazy(() => {
    const ciq = policy?.ciq();
    if (policy === undefined || ciq === undefined) return undefined;
    return {
      id: row.id,
      name: row.name,
      displayName: row.displayName,
      description: row.description,
      version: row.version,
      policyId: policy.row.id,
      policyName: policy.row.name,
      policyVersion: policy.row.version,
      policy: ciq,
      query: compileQuery(row.text ?? "", ciq, budget),
    };
  }),
});
