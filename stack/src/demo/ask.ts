/** Asks the running services; nothing here knows what they should answer. */
import { Ikg } from "@ikg/client";
import { attempt } from "./attempt.ts";
import type { Issuer } from "./issuer.ts";
import type { DecisionQuestion, QueryQuestion, SearchQuestion } from "./questions.ts";

export interface Decided {
  readonly decision: boolean;
  /** the reason for a denial in the answer, if any */
  readonly advice: string | undefined;
}

export interface QueryRow {
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>> | undefined;
}

export interface DemoClient {
  decide(question: DecisionQuestion): Promise<Decided>;
  search(question: SearchQuestion): Promise<readonly string[]>;
  query(question: QueryQuestion): Promise<readonly QueryRow[]>;
}

/** Body of an evaluation, for the `curl` line. */
export const evaluationBody = ({ subject, action, resource, inputs }: DecisionQuestion): object => ({
  subject,
  action: { name: action },
  resource,
  ...(inputs === undefined ? {} : { context: { input_params: inputs } }),
});

/** Body of an execution, for the `curl` line. */
export const executeBody = ({ query, inputs }: QueryQuestion): object => ({
  id: query,
  input_params: inputs,
});

/** @throws UserError, from each question, when the answer is an error */
export const openDemoClient = (baseUrl: string, apiKey: string, issuer: Issuer): DemoClient => {
  const ikg = new Ikg({ baseUrl, clientKey: apiKey, timeoutMs: 40_000 });
  const sign = async (token: DecisionQuestion["token"]): Promise<string | undefined> =>
    token === undefined ? undefined : issuer.sign(token);
  return {
    decide: async ({ subject, action, resource, inputs, token: claims }) => {
      const person = ikg.as({ ...subject, token: await sign(claims) });
      const { decision, context } = await attempt(() => person.decide(action, resource, { params: inputs }));
      return { decision, advice: context?.advice?.[0]?.["error_description"] };
    },
    search: async ({ subject, action, resourceType, inputs }) => {
      const found = ikg.as(subject).resources(action, resourceType, { params: inputs });
      return (await attempt(() => found.toArray())).map(({ id }) => id);
    },
    query: async ({ query, inputs, token: claims }) => {
      const token = await sign(claims);
      const caller = claims === undefined ? ikg : ikg.as({ type: "Archivist", id: claims.sub, token });
      return attempt(() => caller.query(query, inputs).toArray());
    },
  };
};
