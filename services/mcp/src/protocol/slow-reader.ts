import type { ServerResponse } from "node:http";

const usual = { lookMs: 5_000, patienceMs: 30_000 };

/** Breaks off a stream whose reader takes nothing for half a minute: what waits for it is memory of ours. */
export const dropSlowReader = (response: ServerResponse, { lookMs, patienceMs } = usual): void => {
  let since: number | undefined;
  const timer = setInterval(() => {
    if (!response.writableNeedDrain) since = undefined;
    else if (since === undefined) since = Date.now();
    else if (Date.now() - since >= patienceMs) response.destroy();
  }, lookMs);
  response.once("close", () => clearInterval(timer));
};
