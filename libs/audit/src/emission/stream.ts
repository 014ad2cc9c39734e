/** Where emitted records wait for the writer: a stream for each chain, and the set of chains. */
export const chainsKey = "audit:chains";
export const streamKey = (chain: string): string => `audit:${chain}`;
/** Bytes that wait, by chain, and their sum. */
export const waitingKey = "audit:waiting";
export const totalKey = "audit:waiting-total";
/** Bytes that may wait: the bounds of the installation, and those of chains that have one of their own. */
export const boundsKey = "audit:bounds";
/** Which server holds the streams: a restored copy says another one than it runs on. */
export const serverKey = "audit:server";
/**
 * Fields of an entry: the record as JSON, the organization that the chain belongs to, and the sum of the sizes of all
 * entries of its stream up to this one, so that the first and the last entry say how much waits.
 */
export const recordField = "r";
export const organizationField = "o";
export const endField = "e";

/** What Redis needs for an entry besides its texts, in bytes. */
export const entryOverhead = 96;
