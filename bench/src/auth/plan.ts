/** What is measured for how long, and the targets. */

export const plan = { callers: 32, rounds: 5, roundMs: 1_000, warmUpMs: 4_000, bearers: 20 } as const;
export const listPlan = { policies: 1_000, reads: 30, warmUp: 5 } as const;

/** Requests in a second as a share of the baseline's; times the baseline's; milliseconds. */
export const targets = { key: 0.7, bearer: 0.55, verification: 1.3, listMs: 100 } as const;

/**
 * Who is asked. The first three end in a service that answers at once, so that the proxies are what differs; the others
 * in the access service, which judges the bearer.
 */
export const ways = ["cheap", "referenceProxy", "key", "access", "referenceProxyAccess", "bearer"] as const;

export type Way = (typeof ways)[number];
