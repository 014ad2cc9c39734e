/** Shorter than a service keeps a connection open for, so that the side that sends also ends it. */
export const idleMs = 60_000;
/** How long a connection is used at most: services that are added get their share within this time. */
export const lifetimeMs = 60_000;
export const connectMs = 5_000;
