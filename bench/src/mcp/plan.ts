/** What is measured for how long, and the targets. */

export const plan = { rounds: 5, roundMs: 1_000, warmUpMs: 4_000, many: 16 } as const;

/** Sessions by the default limits of a deployment: 20 of one subject. */
export const sessionsPlan = { subjects: 50, ofEach: 20, warmUp: 45 } as const;

/** Median of a tool call as a multiple of the evaluation's; megabytes for a thousand open sessions. */
export const targets = { tool: 2.5, sessionsMb: 60 } as const;

/** Who is asked: the same question of the same user, each through the gateway. */
export const ways = ["evaluation", "session", "stateless"] as const;

export type Way = (typeof ways)[number];
