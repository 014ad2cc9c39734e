import { Change, changesChannel } from "@ikg/contracts";
import type { Redis } from "ioredis";

export interface ChangeHandlers {
  onChange(change: Change): void;
  /** Announcements may have been lost: the connection is new, or a message could not be read. */
  onGap(): void;
}

export interface ChangeWatch {
  /** False while announcements cannot arrive. */
  standing(): boolean;
  close(): Promise<void>;
}

export interface ChangesLog {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

const changeOf = (message: string): Change | undefined => {
  try {
    return Change.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
};

/**
 * Hears announcements of changes on a connection of its own. After every connect the subscription is made anew,
 * and only once it stands the gap before it is reported: what is loaded from then on cannot miss a change.
 */
export const watchChanges = (redis: Redis, log: ChangesLog, handlers: ChangeHandlers): ChangeWatch => {
  const subscriber = redis.duplicate({
    lazyConnect: false,
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    commandTimeout: 5_000,
  });
  let standing = false;
  subscriber.on("ready", () => {
    subscriber.subscribe(changesChannel).then(
      () => {
        standing = true;
        handlers.onGap();
      },
      (error: unknown) => {
        log.warn("cannot subscribe to changes", { error });
        // The connection is made anew, and with it the subscription.
        subscriber.disconnect(true);
      },
    );
  });
  subscriber.on("close", () => (standing = false));
  // The service's own connection reports that Redis is away; unheard, the event would end the process.
  subscriber.on("error", () => undefined);
  subscriber.on("message", (_channel, message) => {
    const change = changeOf(message);
    if (change === undefined) handlers.onGap();
    else handlers.onChange(change);
  });
  return {
    standing: () => standing,
    close: async () => subscriber.disconnect(),
  };
};
