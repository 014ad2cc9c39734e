import { isLongRun } from "../../stack/src/testing/test-environment.ts";

/** How much of a proof is carried out: the short form in `npm test`, the full one in `npm run test:long`. */
export const long = <T>(short: T, full: T): T => (isLongRun() ? full : short);
