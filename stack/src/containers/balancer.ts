/** What distributes requests over the gateways of a port range, as a proxy of an operator does: it asks each for `/readyz`. */
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../../launch/user-error.mjs";
import { openFront } from "../testing/suites/front.ts";
import { freePort, isFree } from "../ports.ts";
import { isReady } from "../processes/is-ready.ts";

export interface Balancer {
  readonly url: string;
  /** For `PORT` of docker-compose.yml. */
  readonly ports: string;
  close(): Promise<void>;
}

/** More often than a gateway that ends waits for it (`DRAIN_DELAY_MS`). */
const askMs = 200;
/** Shorter than a gateway that ends waits: one that does not answer delays what is known of the others. */
const answerMs = 2_000;
const tries = 50;

const freePorts = async (count: number): Promise<readonly number[]> => {
  for (let n = 0; n < tries; n++) {
    const first = await freePort();
    const ports = Array.from({ length: count }, (_, at) => first + at);
    if ((await Promise.all(ports.map((port) => isFree(port)))).every(Boolean)) return ports;
  }
  throw new UserError(`No ${count} free ports beside each other on 127.0.0.1.`);
};

/** @param count of gateways at most */
export const openBalancer = async (count: number): Promise<Balancer> => {
  const ports = await freePorts(count);
  const front = await openFront();
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const ready = await Promise.all(ports.map((port) => isReady(`http://127.0.0.1:${port}`, answerMs)));
      front.replicas = ports.filter((_, at) => ready[at]);
      await pause(askMs);
    }
  };
  const watching = watch();
  return {
    url: front.url,
    ports: `${ports[0]}-${ports.at(-1)}`,
    close: async () => {
      stop.abort();
      await watching;
      await front.close();
    },
  };
};
