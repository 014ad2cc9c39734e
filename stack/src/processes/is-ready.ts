/**
 * True when the service at this address, `http://host:port`, says that it is ready.
 *
 * @param withinMs milliseconds that it has for its answer
 */
export const isReady = async (address: string, withinMs = 3_000): Promise<boolean> => {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(withinMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};
