import type { Decision } from "@ikg/contracts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

/** Asks POST /access/v1/evaluation. */
export const tryEvaluate = (question: unknown, by: Credentials): Promise<Answer> =>
  withKey("/access/v1/evaluation", by, { json: question });

/** The decision on a question that must be answered. */
export const evaluate = async (question: unknown, by: Credentials): Promise<Decision> =>
  must<Decision>(await retryUnavailable(() => tryEvaluate(question, by)), 200);
