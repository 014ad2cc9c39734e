import type { ChangeWatch } from "@ikg/announcements";

/** A change is announced; the lifetime is the fallback for an announcement that was lost. */
const announcedLifetimeMs = 30_000;
/** While announcements cannot arrive, a change must still take effect within 2 s. */
const unannouncedLifetimeMs = 1_500;

/** Milliseconds for which what was read stays valid: a revocation, or a change of roles, counts within 2 s in any case. */
export const lifetimeMsBy = (changes: Pick<ChangeWatch, "isConnected">): number =>
  changes.isConnected() ? announcedLifetimeMs : unannouncedLifetimeMs;
