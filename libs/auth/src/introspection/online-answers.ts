import type { KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { judgeOnline, type OnlineQuestion } from "./online.ts";

export interface OnlineAnswer {
  readonly answer: KeptAnswer;
  /** It was kept: the issuer was not asked now. */
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
 * The issuer's word, or its last good one while `cache_ttl` lasts; asked for once by all
 * that wait for the same.
 *
 * @param kept by SHA-256 of the token, id and version of the configuration.
 */
export const onlineAnswers = (kept: KeptAnswers): OnlineAnswers => {
  const asking = new Map<string, Promise<OnlineAnswer>>();

  const keptOrAsked = async (key: string, question: OnlineQuestion): Promise<OnlineAnswer> => {
    const known = await kept.get(key, question.now);
    if (known !== undefined) return { answer: known, cached: true };
    const asked = await ask(question);
    await kept.set(key, asked.answer, question.now);
    return asked;
  };

  return (key, question) => {
    if (question.online.cacheTtl === 0) return ask(question);
    const running = asking.get(key);
    if (running !== undefined) return running;
    const started = keptOrAsked(key, question).finally(() => asking.delete(key));
    asking.set(key, started);
    return started;
  };
};
