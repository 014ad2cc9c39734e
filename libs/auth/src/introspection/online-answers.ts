import { SingleFlight } from "@ikg/concurrency";
import type { KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { judgeOnline, type OnlineQuestion } from "./online.ts";

export interface OnlineAnswer {
  readonly answer: KeptAnswer;
  /** It was cached: no request to the issuer was made. */
  readonly cached: boolean;
}

export type OnlineAnswers = (key: string, question: OnlineQuestion) => Promise<OnlineAnswer>;

const ask = async (question: OnlineQuestion): Promise<OnlineAnswer> => {
  const payload = await judgeOnline(question);
  const end = (payload.exp ?? Infinity) * 1000;
  const until = Math.min(end, question.now + question.online.cacheTtl * 1000);
  return { answer: { payload, until }, cached: false };
};

/**
 * What the issuer says of a token, or its last positive answer while `cache_ttl` lasts; asked once for all that wait for the
 * same token.
 *
 * @param kept by SHA-256 of the token, id and version of the configuration.
 */
export const onlineAnswers = (kept: KeptAnswers): OnlineAnswers => {
  const questions = new SingleFlight<string, OnlineAnswer>();

  const keptOrAsked = async (key: string, question: OnlineQuestion): Promise<OnlineAnswer> => {
    const known = await kept.get(key, question.now);
    if (known !== undefined) return { answer: known, cached: true };
    const fresh = await ask(question);
    await kept.set(key, fresh.answer, question.now);
    return fresh;
  };

  return (key, question) =>
    question.online.cacheTtl === 0 ? ask(question) : questions.run(key, () => keptOrAsked(key, question));
};
