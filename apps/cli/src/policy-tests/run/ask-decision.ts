import type { Decision as DecisionAnswer } from "@ikg/contracts";
import type { Decision } from "../file/world.ts";
import { refusalOf } from "../suite/suite.ts";
import { type Asker, challengeOf, contextOf, hasMembers } from "./ask.ts";
import { explainDecision } from "./explain.ts";
import type { Outcome } from "./result.ts";

const verdict = (granted: boolean): string => (granted ? "granted" : "denied");

/** Asks for a decision. */
export const askDecision = async (asker: Asker, test: Decision): Promise<Outcome> => {
  const { subject, action, resource, expect } = test;
  const body = { subject, action: { name: action }, resource, ...contextOf(test) };
  const { answer, claims } = await asker.post("/access/v1/evaluation", body, test.as);
  const { decision, context } = (answer.status === 200 ? answer.body : {}) as Partial<DecisionAnswer>; // as the contract has it
  const explanation = context?.explanation;
  const advice = context?.advice ?? (answer.status === 200 ? [] : [challengeOf(answer)]);
  const wanted = expect.advice;
  const isAsExpected =
    answer.status === expect.status &&
    (expect.status !== 200 || decision === expect.granted) &&
    (expect.reason === undefined || context?.reason === expect.reason) &&
    (wanted === undefined || advice.some((each) => hasMembers(wanted, each)));
  const describe = (what: string, reason: string | undefined, advice: readonly object[]): string =>
    [
      what,
      ...(reason === undefined || expect.reason === undefined ? [] : [`reason ${JSON.stringify(reason)}`]),
      ...(wanted === undefined
        ? []
        : [`advice ${advice.map((each) => JSON.stringify(each)).join(", ") || "none"}`]),
    ].join(", ");
  return {
    passed: isAsExpected,
    expected: describe(
      expect.status === 200 ? verdict(expect.granted) : `status ${expect.status}`,
      expect.reason,
      wanted === undefined ? [] : [wanted],
    ),
    actual: describe(decision === undefined ? refusalOf(answer) : verdict(decision), context?.reason, advice),
    why: explainDecision(asker.world, explanation),
    observation: { kind: "decision", test, claims, explanation },
  };
};
