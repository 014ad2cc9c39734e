export { type ElementIds, elementIdsOf } from "./element-ids.ts";
export { ExternalReference } from "./external-reference.ts";
export { type Fields, fieldsOf } from "./fields.ts";
export { type ProjectedRow, resultRow } from "./row.ts";
export { fieldsInOrder, jsonOf, type ShownProject } from "./whole.ts";
