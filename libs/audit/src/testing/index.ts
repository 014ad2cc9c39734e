/** Chains and records for the tests of whatever reads or writes them. */
export { filesOf, type MadeChain, makeChain, newKey } from "./made-chain.ts";
export { newRecord } from "./new-record.ts";
