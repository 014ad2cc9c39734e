/**
 * Two tiers of tests. `npm test` leaves out what takes long for what it adds; `npm run test:long` runs everything, with more
 * cases of every random test. docs/testing.md defines which test belongs where.
 */
import { needsSecond } from "./second-neo4j.ts";

/** True for test files that `npm test` runs only when they are named. */
export const isLongFile = (file: string): boolean =>
  /\.long(\.alone)?\.test\.ts$/.test(file) || needsSecond(file);

/** True for test files that run one at a time: their results depend on what other tests do meanwhile, or they start a suite of their own. */
export const isAloneFile = (file: string): boolean => file.endsWith(".alone.test.ts");

/** Tests that need neither stores nor services, besides those next to the file they test. */
const pure =
  /^(libs\/policy-core\/test\/(printed|rules|neo4j-syntax)\/|services\/configs\/test\/samples\.test\.ts$)/;

/** True for unit tests: two processes share them, and no store is started for them. */
export const isUnitFile = (file: string): boolean =>
  (file.includes("/src/") || pure.test(file)) && !file.startsWith("e2e/");
