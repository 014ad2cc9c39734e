/** A call of the demo: repeated while the suite is too busy, and with one line for a person when it fails. */
import { setTimeout as delay } from "node:timers/promises";
import { IkgError, IkgUnreachable } from "@ikg/client";
import { UserError } from "../../launch/user-error.mjs";

/** How long a service may be too busy: databases that have just started answer their first questions slowly. */
const timeoutMs = 60_000;

/** 503 means that nothing was carried out, so that writes, which the client sends once, may be repeated, too. */
const isBusy = (error: unknown): error is IkgError => error instanceof IkgError && error.status === 503;

/** @throws UserError with the words of the error of the call that failed last */
export const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  for (const until = performance.now() + timeoutMs; ;) {
    try {
      return await work();
    } catch (error) {
      if (isBusy(error) && performance.now() < until) await delay(1_000 * Math.min(error.retryAfter ?? 1, 5));
      else if (error instanceof IkgError || error instanceof IkgUnreachable)
        throw new UserError(`The demo: ${error.message}`);
      else throw error;
    }
  }
};
