import { setTimeout as wait } from "node:timers/promises";
import type { Health } from "./health.ts";
import { StartError } from "./start-error.ts";

const retryMs = 200;

export interface AwaitStoresParts {
  readonly health: Health;
  readonly timeoutMs: number;
  /** A fatal error, for which waiting does not help. */
  readonly fatalError: () => string | undefined;
  /** True when the process stops meanwhile. */
  readonly isClosing: () => boolean;
}

/** Waits until every ready check passes. @throws StartError after `timeoutMs`, or for a fatal error. */
export const awaitStores = async ({
  health,
  timeoutMs,
  fatalError,
  isClosing,
}: AwaitStoresParts): Promise<void> => {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const failing = await health.failing();
    const fatal = fatalError();
    if (fatal !== undefined) throw new StartError([fatal]);
    if (failing.length === 0 || isClosing()) return;
    if (Date.now() > until)
      throw new StartError(
        failing.map(
          (store) =>
            `${store} is not reachable; check that it is running and that ${store.toUpperCase()}_* are right`,
        ),
      );
    await wait(retryMs);
  }
};
