import type { RowValues } from "@ikg/policy-core";
import type { requestKeys } from "@ikg/policy-core/statements";

/** The parameter `$__row` of the statements of one execution. */
export type StatementRow = RowValues & {
  /** Key of the subject that the platform pins. */
  readonly [requestKeys.subject]: string | null;
  /** Stored fields that resolvers read of the nodes that are shown. */
  readonly resolverFields?: readonly string[];
};
