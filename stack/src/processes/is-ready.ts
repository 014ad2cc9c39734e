/**
 * True when the server at this address, `http://host:port`, says that it is ready.
 *
 * @param withinMs milliseconds that it has for its answer
 * @param path that is asked, by default that of services
 */
export const isReady = async (address: string, withinMs = 3_000, path = "/readyz"): Promise<boolean> => {
  try {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(withinMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};
