export { type Diagnostic, DiagnosticList, formatDiagnostic, formatPlace, type Place } from "./diagnostic.ts";
export { readSource, type Source } from "./source.ts";
export { strictObject } from "./strict-object.ts";
export { validate } from "./validate.ts";
