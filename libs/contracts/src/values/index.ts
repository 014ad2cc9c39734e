/** Which values the graph stores, and in which form: for programs that do without zod. */
export { codePoints } from "./code-points.ts";
export { toInstant } from "./to-instant.ts";
export { type Scalar, type Value, valueFault } from "./value-fault.ts";
