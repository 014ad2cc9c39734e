import { setTimeout as wait } from "node:timers/promises";
import { serveAdmin } from "./admin.ts";
import { awaitStores } from "./await-stores.ts";
import { CloseStack } from "./close-stack.ts";
import type { Health } from "./health.ts";
import type { Logger } from "../logs/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { DrainableServer } from "../http/server.ts";
import type { BaseSettings } from "../settings/settings.ts";

export interface LifecycleParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** The start and the end of a process. */
export class Lifecycle {
  readonly closers: CloseStack;
  /** Called when the drain begins. */
  readonly enders: (() => void)[] = [];
  /** Aborted when the drain times out. */
  readonly deadline = new AbortController();
  readonly #parts: LifecycleParts;
  readonly #settings: BaseSettings;
  #fatalError: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: LifecycleParts, settings: BaseSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.closers = new CloseStack(parts.log);
  }

  /** Gives up a start that cannot succeed; each reason is logged once. */
  readonly giveUp = (reason: string, line: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    if (this.#fatalError !== reason) this.#parts.log.error(line, fields);
    this.#fatalError = reason;
  };

  async listen(server: DrainableServer): Promise<{ readonly port: number }> {
    const { log, metrics, health } = this.#parts;
    const { PORT, HOST: host, METRICS_PORT, START_TIMEOUT_SECONDS } = this.#settings;
    const port = await server.listen(PORT, host);
    if (METRICS_PORT !== undefined && METRICS_PORT !== 0) {
      const admin = await serveAdmin(metrics, log, METRICS_PORT, host);
      this.closers.add("metrics", () => new Promise((resolve) => admin.close(() => resolve())));
    }
    await awaitStores({
      health,
      timeoutMs: START_TIMEOUT_SECONDS * 1000,
      fatalError: () => this.#fatalError,
      isClosing: () => this.#closing !== undefined,
    });
    log.info("listening", { host, port });
    return { port };
  }

  close(server: DrainableServer, onClosed: () => void): Promise<void> {
    return (this.#closing ??= this.#drainAndClose(server, onClosed));
  }

  async #drainAndClose(server: DrainableServer, onClosed: () => void): Promise<void> {
    const { log, health } = this.#parts;
    const { DRAIN_DELAY_MS, DRAIN_SECONDS, CLOSE_SECONDS } = this.#settings;
    health.markStopping();
    server.retire();
    log.info("stopping");
    await wait(DRAIN_DELAY_MS);
    for (const end of this.enders) end();
    await server.drain(DRAIN_SECONDS * 1000, () => this.deadline.abort());
    await this.closers.close(CLOSE_SECONDS * 1000);
    onClosed();
    log.info("stopped");
  }
}
