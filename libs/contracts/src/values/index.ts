/** Forms of values and objects, and which values the graph stores: for programs that do without zod. */
export { codePoints } from "./code-points.ts";
export { isJsonObject } from "./is-json-object.ts";
export { omitUndefined } from "./omit-undefined.ts";
export { toInstant } from "./to-instant.ts";
export { tryParseJson } from "./try-parse-json.ts";
export { type Scalar, type Value, valueFault } from "./value-fault.ts";
