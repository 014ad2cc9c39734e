import type { ServerResponse } from "node:http";

const defaults = { checkIntervalMs: 5_000, timeoutMs: 30_000 };

/** Aborts a stream whose client reads nothing for half a minute, since what is buffered for it takes memory. */
export const dropSlowReader = (response: ServerResponse, { checkIntervalMs, timeoutMs } = defaults): void => {
  let since: number | undefined;
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) since = undefined;
    else if (since === undefined) since = Date.now();
    else if (Date.now() - since >= timeoutMs) response.destroy();
  }, checkIntervalMs);
  response.once("close", () => clearInterval(timer));
};
