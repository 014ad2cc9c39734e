export { missingNames } from "./complete-list.ts";
export { reserveProjectLabels } from "./organization-names.ts";
export type { NameKind, NameUse, TakeName } from "./name-use.ts";
export { type NamedProject, type Names, openNames } from "./names.ts";
