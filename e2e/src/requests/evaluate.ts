import type { Action, Context, Decision, Entity, Ikg } from "@ikg/client";
import { openIkg } from "./clients.ts";
import { type Credentials, withKey } from "./data-plane.ts";
import type { Answer } from "./send.ts";

/** A question of the protocol, in which null is as good as nothing. */
export interface Question {
  readonly subject: {
    readonly type: string;
    readonly id: string;
    readonly properties?: object | null | undefined;
  };
  readonly action: { readonly name: string; readonly properties?: object | null | undefined };
  readonly resource: Question["subject"];
  readonly context?: object | null | undefined;
}

/** Asks POST /access/v1/evaluation. */
export const tryEvaluate = (question: unknown, by: Credentials): Promise<Answer> =>
  withKey("/access/v1/evaluation", by, { json: question });

const decide = (
  ikg: Ikg,
  { subject, action, resource, context }: Question,
  token: string | undefined,
  join: boolean,
): Promise<Decision> =>
  // The types of the client are narrower than the protocol.
  ikg
    .as({ ...(subject as Entity), token })
    .decide(action as Action, resource as Entity, { context: context as Context | undefined, join });

/** The decision on a question that must be answered. */
export const evaluate = (question: Question, { key, bearer }: Credentials): Promise<Decision> =>
  decide(openIkg({ key }), question, bearer, false);

/** The decisions on questions that must be answered, asked in requests of 100. */
export const evaluateAll = (
  questions: readonly Question[],
  { key, bearer }: Credentials,
): Promise<readonly Decision[]> => {
  const ikg = openIkg({ key });
  return Promise.all(questions.map((question) => decide(ikg, question, bearer, true)));
};
