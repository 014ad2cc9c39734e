import type { KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import { judgeOnline, type OnlineQuestion } from "./online.ts";

export type OnlineAnswer = (key: string, question: OnlineQuestion) => Promise<KeptAnswer>;

const ask = async (question: OnlineQuestion): Promise<KeptAnswer> => {
  const payload = await judgeOnline(question);
  const end = (payload.exp ?? Infinity) * 1000;
  return { payload, until: Math.min(end, question.now + question.online.cacheTtl * 1000) };
};

/**
 * The issuer's word, or its last good one while `cache_ttl` lasts (runtime specification 2.5); asked for once by all
 * that wait for the same.
 *
 * @param kept by SHA-256 of the token, id and version of the configuration.
 */
export const onlineAnswers = (kept: KeptAnswers): OnlineAnswer => {
  const asking = new Map<string, Promise<KeptAnswer>>();

  const keptOrAsked = async (key: string, question: OnlineQuestion): Promise<KeptAnswer> => {
    const known = await kept.get(key, question.now);
    if (known !== undefined) return known;
    const answer = await ask(question);
    await kept.set(key, answer, question.now);
    return answer;
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
