import type { EvaluationRequest, RecordStatus } from "@ikg/contracts";

/** One thing that must come out as written. */
export interface Case {
  readonly evaluation?: EvaluationRequest;
  /** Asks the evaluation of another case about `subject`, with the token of this person. */
  readonly evaluation_with_token_of?: string;
  readonly subject?: string;
  readonly decision?: boolean;
  readonly input_params?: Readonly<Record<string, unknown>>;
  readonly token_of?: string;
  readonly rows?: number;
  readonly note?: string;
}

interface Common {
  readonly id: string;
  readonly status?: RecordStatus;
  /** The outcome that its author expects: accepted, or rejected and why. */
  readonly expected?: string;
  readonly input_params_needed: readonly string[];
  readonly cases?: readonly Case[];
}

export interface PolicyEntry extends Common {
  readonly kind: "kbac" | "ciq";
  readonly policy: {
    readonly meta: { readonly policy_version: string };
    readonly subject: { readonly type: string };
    readonly actions?: readonly string[];
    readonly resource?: { readonly type: string };
    readonly condition: { readonly cypher: string; readonly filter?: unknown };
  };
  readonly tags?: readonly string[];
  readonly evaluation?: EvaluationRequest;
}

export interface QueryEntry extends Common {
  readonly kind: "query";
  readonly query: {
    readonly nodes?: readonly string[];
    readonly relationships?: readonly string[];
    readonly aggregate_values?: readonly string[];
  };
  /** Id of its policy; none: it belongs to no policy of the corpus. */
  readonly paired_with: string | null;
  readonly execute?: { readonly input_params?: Readonly<Record<string, unknown>> };
}

export type Entry = PolicyEntry | QueryEntry;

/** Version of the reference product's first generation, and ours of the same meaning. */
export const oldVersion = "1.0-indykite";
const versionForOld = "2.0-kbac";

/** The policy as it is saved: old versions under their present name. */
export const policyToSave = ({ policy }: PolicyEntry): PolicyEntry["policy"] =>
  policy.meta.policy_version === oldVersion ? { ...policy, meta: { policy_version: versionForOld } } : policy;
