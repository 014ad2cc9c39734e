export { InputFault, MappingRequired } from "./input-fault.ts";
export { inferMapping, inferredMapping } from "./inference/infer-mapping.ts";
export { foreignKeysOf } from "./inference/keys.ts";
export {
  keyTargetOf,
  propertyNameOf,
  relationshipNameOf,
  singularOf,
  typeNameOf,
} from "./inference/names.ts";
export type { ColumnProfile } from "./inference/column-profile.ts";
export { type ProfileOptions, profileTable, type TableProfile } from "./inference/table-profile.ts";
export { awaitJob } from "./jobs/await-job.ts";
export { type DryRun, DryRunReading } from "./jobs/dry-run.ts";
export { type ImportPlan, planImport } from "./jobs/import-plan.ts";
export { type ImportCounts, type ImportListener, ImportRun } from "./jobs/import-run.ts";
export { type ImportState, type ImportStore, type ImportTotals, newState } from "./jobs/import-state.ts";
export type { Job, JobState } from "./jobs/job.ts";
export { lineText } from "./jobs/line-text.ts";
export { jobCharacters } from "./jobs/read-job.ts";
export type { RejectedLine } from "./jobs/rejected-lines.ts";
export { reasonText, rejectedText } from "./jobs/rejected-text.ts";
export { isInterruption, uploadLines } from "./jobs/upload-lines.ts";
export { ownMemberOf } from "./mapping/column.ts";
export { textOf } from "./mapping/convert.ts";
export { importMappingSchema } from "./mapping/json-schema.ts";
export { mappingFileText } from "./mapping/mapping-file-text.ts";
export { MappingFileFault } from "./mapping/mapping-file-fault.ts";
export { type Mapping, matchesPattern, readMapping } from "./mapping/read-mapping.ts";
export {
  encodings,
  FileMapping,
  ImportMapping,
  NodeMapping,
  type NodeName,
  RelationshipMapping,
  type ValueKind,
  valueKinds,
  valueSources,
} from "./mapping/schema.ts";
export { templateOf } from "./mapping/template.ts";
export { formatOfName, plainName, type TableFormat, tableFormats } from "./tables/format.ts";
export { type OpenOptions, openTable } from "./tables/open-table.ts";
export type { Row } from "./tables/row.ts";
export type { ReadOptions, Table, TableFile } from "./tables/table.ts";
