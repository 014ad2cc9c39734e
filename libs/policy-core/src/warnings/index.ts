export type { GraphSchema, UnreadSchema, WarningOptions } from "./context.ts";
export { warningCodes, type Warning, type WarningCode } from "./warning.ts";
export { queryWarningsOf, warningsOf } from "./warnings.ts";
