import type { IncomingMessage, ServerResponse } from "node:http";
import { refuseConnection } from "./refuse-connection.ts";
import type { ServerLimits } from "./server-limits.ts";

const exempt = new WeakSet<IncomingMessage>();
const authenticated = new WeakSet<IncomingMessage>();

/** Lifts the timeout for the body of a request, whose reader has limits of its own. */
export const exemptFromRequestTimeout = (request: IncomingMessage): void => void exempt.add(request);

/** Marks a request that carries an accepted credential: it may take longer, and its connection is kept while idle. */
export const markAuthenticated = (request: IncomingMessage): void => void authenticated.add(request);

export const isAuthenticated = (request: IncomingMessage): boolean => authenticated.has(request);

/** Ends requests that take longer to arrive than a server allows. */
export class RequestTimeouts {
  readonly #limits: Pick<ServerLimits, "anonymousMs" | "requestMs" | "checkIntervalMs">;
  /** Start of each request that is not complete, including those that were answered already. */
  readonly #incomplete = new Map<ServerResponse, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: Pick<ServerLimits, "anonymousMs" | "requestMs" | "checkIntervalMs">) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#check(), limits.checkIntervalMs).unref();
  }

  begin(response: ServerResponse): void {
    this.#incomplete.set(response, performance.now());
  }

  end(response: ServerResponse): void {
    this.#incomplete.delete(response);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    for (const [response, since] of this.#incomplete) {
      const { req: request, headersSent } = response;
      const allowed = isAuthenticated(request) ? this.#limits.requestMs : this.#limits.anonymousMs;
      if (request.complete || request.destroyed) this.#incomplete.delete(response);
      else if (now - since > allowed && !exempt.has(request)) {
        if (headersSent) request.socket.destroy();
        else refuseConnection({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, request.socket);
      }
    }
  }
}
