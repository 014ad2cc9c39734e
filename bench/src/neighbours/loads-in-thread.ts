/** The loads of the heavy tenant, each sent by a thread of its own. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Heavy } from "./heavy.ts";
import { type LoadName, loadNames } from "./load-names.ts";
import type { Counts, Load, Loads } from "./loads.ts";

/** The `workerData` of the thread. */
export interface ThreadData {
  readonly baseUrl: string;
  readonly heavy: Heavy;
}

/** @throws (as an `error` event without a listener, which ends the process) when the thread fails */
export const openLoadsInThread = (baseUrl: string, heavy: Heavy): Loads => {
  const workerData: ThreadData = { baseUrl, heavy };
  const thread = new Worker(new URL("load-thread.ts", import.meta.url), { workerData });
  const tell = (name: LoadName | undefined): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(name);
  };
  const loadOf =
    (name: LoadName): Load =>
    async (stop) => {
      stop.addEventListener("abort", () => tell(undefined), { once: true });
      const counted = once(thread, "message");
      tell(name);
      const [counts] = (await counted) as [Counts];
      return counts;
    };
  return {
    byName: new Map(loadNames.map((name) => [name, loadOf(name)])),
    close: async () => void (await thread.terminate()),
  };
};
