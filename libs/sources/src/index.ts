export { type Fault, Faults, formatFault, formatPlace, type Place } from "./fault.ts";
export { readSource, type Source } from "./source.ts";
export { strictObject } from "./strict-object.ts";
export { validate } from "./validate.ts";
