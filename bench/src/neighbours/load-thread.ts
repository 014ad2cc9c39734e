/**
 * The thread of the heavy tenant. In the thread of the light one, what its requests cost their sender would look like time that
 * the suite takes. A name of a load begins that load, `undefined` ends it; what was answered is posted back.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { LoadName } from "./load-names.ts";
import { type Counts, openLoads } from "./loads.ts";
import type { ThreadData } from "./loads-in-thread.ts";

const { baseUrl, heavy } = workerData as ThreadData;
const { byName } = openLoads(baseUrl, heavy);
let stop = new AbortController();

parentPort?.on("message", (name: LoadName | undefined) => {
  if (name === undefined) {
    stop.abort();
    return;
  }
  stop = new AbortController();
  const answer = (counts: Counts): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(counts);
  };
  void byName.get(name)?.(stop.signal).then(answer);
});
