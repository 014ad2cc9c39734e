const settled = (answer: Promise<unknown>): Promise<void> =>
  answer.then(
    () => undefined,
    () => undefined,
  );

/**
 * Joins equal questions: a caller who arrives while a response is under way shares the next one, which is requested after all their
 * questions. So no caller gets an answer that is older than its request.
 */
export const joinedAnswers = <T>(ask: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<T>>();
  const begin = (key: string): Promise<T> => {
    const answer = ask(key);
    const ended = settled(answer).then(() => {
      if (running.get(key) === ended) running.delete(key);
    });
    running.set(key, ended);
    return answer;
  };
  return (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    const waiting =
      next.get(key) ??
      current.then(() => {
        next.delete(key);
        return begin(key);
      });
    next.set(key, waiting);
    return waiting;
  };
};
