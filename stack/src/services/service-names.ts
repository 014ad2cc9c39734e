/** The services of the suite. */

/** Services behind the gateway. */
export const upstreams = ["configs", "capture", "access", "ciq", "mcp", "audit"] as const;

/** Services without an API: they work in the background. */
export const workers = ["trust-scorer"] as const;

/** All of them. */
export const services = [...upstreams, ...workers, "gateway"] as const;

export type Upstream = (typeof upstreams)[number];
export type ServiceName = (typeof services)[number];
