import type { Token } from "@ikg/auth";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import {
  type Decision,
  type Decisions,
  type EntryDecision,
  EvaluationRequest,
  type EvaluationsRequest,
  parse,
  Problem,
  isJsonObject,
} from "@ikg/contracts";
import type { StatementOptions } from "@ikg/graph";
import { completeEntry } from "./batch-entry.ts";
import type { ExplainableDecide } from "./with-explanation.ts";

export interface BatchOptions extends StatementOptions {
  /** Adds an explanation to each entry. */
  readonly explain?: boolean;
  /** Called with the policy that grants an entry; a single evaluation is entry 0. */
  readonly onEntryGrant?: ((policy: StoredKbacPolicy, entry: number) => void) | undefined;
}

export type EvaluateBatch = (
  snapshot: ProjectSnapshot,
  body: EvaluationsRequest,
  token: Token | undefined,
  options: BatchOptions,
) => Promise<Decision | Decisions>;

const readEntry = (entry: unknown, defaults: EvaluationsRequest): EvaluationRequest => {
  if (!isJsonObject(entry)) throw new Problem("invalid_request", { errors: ["entry: object expected"] });
  return parse(EvaluationRequest, completeEntry(entry, defaults));
};

/** Called with each entry that failed by no fault of the caller, where the answer to the request is 200. */
export type OnEntryFailure = (failures: readonly Problem[], requestId: string | undefined) => void;

const problemOf = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem("internal", { cause: error });

/** The answer of an entry that could not be evaluated; it discloses nothing internal. */
const entryError = ({ status, errors, message: title }: Problem): EntryDecision => {
  const message = errors.length > 0 ? errors.join("; ") : title;
  return { decision: false, context: { reason: message, error: { status, message } } };
};

interface Outcome {
  readonly entry: EntryDecision;
  /** Why it was not evaluated. */
  readonly failure: Problem | undefined;
}

/**
 * Evaluates a batch (AuthZEN 1.0, section 7): entries are questions of their own, and the error of an entry is the
 * answer of that entry. Without entries the body is a single evaluation. Entries that run together reach the graph as rows of one
 * statement for each set of policies. `timeoutMs` is the limit of all entries together; each that it does not reach is in error.
 *
 * @throws as `decide` for a single evaluation; Problem "unavailable" (503) when no entry could be evaluated because the
 *   graph is unavailable or too slow.
 */
export const openEvaluateBatch = (
  decide: ExplainableDecide,
  onFailures: OnEntryFailure = () => undefined,
): EvaluateBatch => {
  return async (snapshot, body, token, { onEntryGrant, ...options }) => {
    const deadline = performance.now() + options.timeoutMs;
    const evaluate = async (request: EvaluationRequest, at: number): Promise<Decision> => {
      const { subject, resource, action, context } = request;
      const onGrant = onEntryGrant && ((policy: StoredKbacPolicy) => onEntryGrant(policy, at));
      const limits = { ...options, timeoutMs: deadline - performance.now(), onGrant };
      return decide(snapshot, { subject, resource, action, context, token }, limits);
    };
    const { evaluations, options: requested } = body;
    if (!evaluations || evaluations.length === 0) return evaluate(parse(EvaluationRequest, body), 0);

    const evaluateEntry = async (entry: unknown, at: number): Promise<Outcome> => {
      try {
        return { entry: await evaluate(readEntry(entry, body), at), failure: undefined };
      } catch (error) {
        // The caller has gone.
        options.signal?.throwIfAborted();
        const failure = problemOf(error);
        return { entry: entryError(failure), failure };
      }
    };

    const semantic = requested?.evaluations_semantic ?? "execute_all";
    const outcomes: Outcome[] = [];
    if (semantic === "execute_all") outcomes.push(...(await Promise.all(evaluations.map(evaluateEntry))));
    else {
      const last = semantic === "permit_on_first_permit";
      for (const [at, entry] of evaluations.entries()) {
        const outcome = await evaluateEntry(entry, at);
        outcomes.push(outcome);
        if (outcome.entry.decision === last) break;
      }
    }
    const isRetryable = ({ failure }: Outcome): boolean =>
      failure !== undefined && [429, 503].includes(failure.status);
    if (outcomes.every(isRetryable)) throw outcomes[0]?.failure;
    const failures = outcomes.flatMap(({ failure }) =>
      failure !== undefined && failure.status >= 500 ? [failure] : [],
    );
    if (failures.length > 0) onFailures(failures, options.requestId);
    return { evaluations: outcomes.map(({ entry }) => entry) };
  };
};
