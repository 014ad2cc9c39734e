/** Chains for the tests of whatever reads them. */
export { filesOf, type MadeChain, makeChain, newKey } from "./made-chain.ts";
