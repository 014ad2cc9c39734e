import type { Decision as DecisionAnswer } from "@ikg/contracts";
import type { Decision } from "../file/world.ts";
import { refusalOf } from "../suite/suite.ts";
import { type TestClient, type Reply, challengeOf, contextOf, hasMembers } from "./ask.ts";
import { explainDecision } from "./explain.ts";
import type { Outcome } from "./result.ts";

const verdict = (granted: boolean): string => (granted ? "granted" : "denied");

interface DecisionReply {
  readonly reply: Reply;
  readonly decision: boolean | undefined;
  readonly context: DecisionAnswer["context"];
}

const post = async (client: TestClient, test: Decision, explain: boolean): Promise<DecisionReply> => {
  const { subject, action, resource, as } = test;
  const body = { subject, action: { name: action }, resource, ...contextOf(test) };
  const reply = await client.post("/access/v1/evaluation", body, { as, explain });
  const { answer } = reply;
  const { decision, context } = (answer.status === 200 ? answer.body : {}) as Partial<DecisionAnswer>; // validated by the contract
  return { reply, decision, context };
};

const adviceOf = ({ reply: { answer }, context }: DecisionReply) =>
  context?.advice ?? (answer.status === 200 ? [] : [challengeOf(answer)]);

const isAsExpected = (response: DecisionReply, { expect }: Decision): boolean => {
  const { reply, decision, context } = response;
  const { advice } = expect;
  return (
    reply.answer.status === expect.status &&
    (expect.status !== 200 || decision === expect.granted) &&
    (expect.reason === undefined || context?.reason === expect.reason) &&
    (advice === undefined || adviceOf(response).some((each) => hasMembers(advice, each)))
  );
};

/** Requests a decision, and an explanation if it is not the expected one. */
export const askDecision = async (client: TestClient, test: Decision): Promise<Outcome> => {
  const { expect } = test;
  const response = await post(client, test, client.explainsAll);
  const { reply, decision, context } = response;
  const passed = isAsExpected(response, test);
  const explanation =
    passed || client.explainsAll
      ? context?.explanation
      : (await post(client, test, true)).context?.explanation;
  const describe = (what: string, reason: string | undefined, advice: readonly object[]): string =>
    [
      what,
      ...(reason === undefined || expect.reason === undefined ? [] : [`reason ${JSON.stringify(reason)}`]),
      ...(expect.advice === undefined
        ? []
        : [`advice ${advice.map((each) => JSON.stringify(each)).join(", ") || "none"}`]),
    ].join(", ");
  return {
    passed,
    expected: describe(
      expect.status === 200 ? verdict(expect.granted) : `status ${expect.status}`,
      expect.reason,
      expect.advice === undefined ? [] : [expect.advice],
    ),
    actual: describe(
      decision === undefined ? refusalOf(reply.answer) : verdict(decision),
      context?.reason,
      adviceOf(response),
    ),
    why: explainDecision(client.world, explanation),
    observation: { kind: "decision", test, claims: reply.claims, explanation },
  };
};
