import { ChangeAnnouncement, changesChannel } from "@ikg/contracts";
import type { Redis } from "ioredis";

export interface ChangeHandlers {
  onChange(change: ChangeAnnouncement): void;
  /** Announcements may have been lost: the connection is new, or a message could not be read. */
  onGap(): void;
}

export interface ChangeWatch {
  /** False while announcements cannot arrive. */
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface ChangesLog {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** Milliseconds between two checks of the connection. */
const checkMs = 500;
/**
 * Milliseconds without an answer after which the connection counts as interrupted. A dead connection reports no error, and a
 * revoked credential must not work for longer than 2 s.
 */
const interruptedMs = 1_250;
/** Milliseconds without an answer after which the connection is replaced. */
const deadMs = 3_000;

const announcementOf = (message: string): ChangeAnnouncement | undefined => {
  try {
    return ChangeAnnouncement.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
};

/**
 * Receives announcements of changes on its own connection. After every connect it subscribes again and reports a gap only once the
 * subscription exists, so that data loaded from then on cannot miss a change.
 */
export const watchChanges = (redis: Redis, log: ChangesLog, handlers: ChangeHandlers): ChangeWatch => {
  const subscriber = redis.duplicate({
    lazyConnect: false,
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    commandTimeout: 5_000,
  });
  let isSubscribed = false;
  /** Start of the last successful check: everything announced before it has been received. */
  let answeredAt = -Infinity;
  const silentMs = (): number => performance.now() - answeredAt;
  const check = setInterval(() => {
    if (!isSubscribed) return;
    if (silentMs() > deadMs) {
      isSubscribed = false;
      log.warn("no announcements of changes are received; reconnecting");
      subscriber.disconnect(true);
      return;
    }
    const startedAt = performance.now();
    subscriber.ping().then(
      () => (answeredAt = Math.max(answeredAt, startedAt)),
      () => undefined,
    );
  }, checkMs).unref();
  subscriber.on("ready", () => {
    const startedAt = performance.now();
    subscriber.subscribe(changesChannel).then(
      () => {
        isSubscribed = true;
        answeredAt = startedAt;
        handlers.onGap();
      },
      (error: unknown) => {
        log.warn("cannot subscribe to changes", { error });
        // Reconnecting also repeats the subscription.
        subscriber.disconnect(true);
      },
    );
  });
  subscriber.on("close", () => (isSubscribed = false));
  // The service's own connection reports that Redis is unavailable; without a listener the event would end the process.
  subscriber.on("error", () => undefined);
  subscriber.on("message", (_channel, message) => {
    const change = announcementOf(message);
    if (change === undefined) handlers.onGap();
    else handlers.onChange(change);
  });
  return {
    isConnected: () => isSubscribed && silentMs() < interruptedMs,
    close: async () => {
      clearInterval(check);
      subscriber.disconnect();
    },
  };
};
