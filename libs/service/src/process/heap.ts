import { setFlagsFromString } from "node:v8";

/** How much the heap may grow, in percent of what lives, before it is collected. */
const growthPercent = 40;

/**
 * Keeps the heap near what lives in it. Imports and runs of scores make gigabytes of short-lived rows out of a few
 * megabytes of live objects; on a machine with much memory the collector would keep several hundred of them. This is not
 * a limit: the heap can still grow as needed.
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
