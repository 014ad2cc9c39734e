const answerWithinMs = 3_000;

/** True when the service at this address, `http://host:port`, says that it is ready. */
export const isReady = async (address: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(answerWithinMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};
