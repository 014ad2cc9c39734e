/**
 * Two tiers of tests. `npm test` leaves out what takes long for what it adds; `npm run test:long` runs everything, with more
 * cases of every random test. docs/testing.md says which test belongs where.
 */
import { needsSecond } from "./second.ts";

/** True in `npm run test:long`. */
export const isLongRun = (): boolean => process.env["IKG_LONG"] === "1";

/** True for test files that `npm test` runs only when they are named. */
export const isLongFile = (file: string): boolean => file.endsWith(".long.test.ts") || needsSecond(file);

/** True for tests that need neither stores nor services: those next to the file they test, and those of the pages. */
export const isUnitFile = (file: string): boolean =>
  (file.includes("/src/") || file.startsWith("docs/")) && !file.startsWith("e2e/");
