/** Asks the running services; nothing here knows what they should answer. */
import { asAgent, call } from "./api.ts";
import type { Issuer } from "./issuer.ts";
import type { DecisionQuestion, QueryQuestion, SearchQuestion } from "./questions.ts";

export interface Decided {
  readonly decision: boolean;
  /** the reason for a denial in the answer, if any */
  readonly advice: string | undefined;
}

export interface QueryRow {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

export interface DemoClient {
  decide(question: DecisionQuestion): Promise<Decided>;
  search(question: SearchQuestion): Promise<readonly string[]>;
  query(question: QueryQuestion): Promise<readonly QueryRow[]>;
}

interface DecisionAnswer {
  readonly decision?: unknown;
  readonly context?: { readonly advice?: readonly Readonly<Record<string, string>>[] };
}

const contextOf = (inputs: Readonly<Record<string, unknown>> | undefined): object =>
  inputs === undefined ? {} : { context: { input_params: inputs } };

/** Body of an evaluation; also printed in the `curl` line. */
export const evaluationBody = ({ subject, action, resource, inputs }: DecisionQuestion): object => ({
  subject,
  action: { name: action },
  resource,
  ...contextOf(inputs),
});

/** Body of an execution; also printed in the `curl` line. */
export const executeBody = ({ query, inputs }: QueryQuestion): object => ({
  id: query,
  input_params: inputs,
});

/** @throws Refusal, from each question, when the answer is an error */
export const openDemoClient = (baseUrl: string, apiKey: string, issuer: Issuer): DemoClient => {
  const post = async (path: string, body: object, token: DecisionQuestion["token"]): Promise<unknown> => {
    const bearer = token === undefined ? undefined : await issuer.sign(token);
    return call(baseUrl, "POST", path, asAgent(apiKey, bearer), body);
  };
  return {
    decide: async (question) => {
      // The answers of these three are of the published shapes, or `call` would have thrown.
      const answer = (await post(
        "/access/v1/evaluation",
        evaluationBody(question),
        question.token,
      )) as DecisionAnswer;
      return {
        decision: answer.decision === true,
        advice: answer.context?.advice?.[0]?.["error_description"],
      };
    },
    search: async ({ subject, action, resourceType, inputs }) => {
      const body = {
        subject,
        action: { name: action },
        resource: { type: resourceType },
        ...contextOf(inputs),
      };
      const answer = (await post("/access/v1/search/resource", body, undefined)) as {
        results: readonly { id: string }[];
      };
      return answer.results.map(({ id }) => id);
    },
    query: async (question) => {
      const answer = (await post("/ciq/v1/execute", executeBody(question), question.token)) as {
        data: readonly QueryRow[];
      };
      return answer.data;
    },
  };
};
