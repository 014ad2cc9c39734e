/** Where emitted records wait for the writer: a stream for each chain, and the set of chains. */
export const chainsKey = "audit:chains";
export const streamKey = (chain: string): string => `audit:${chain}`;
/** Fields of an entry: the record as JSON, and the organization that the chain belongs to. */
export const recordField = "r";
export const organizationField = "o";
