export { InputFault, MappingRequired } from "./input-fault.ts";
export { inferMapping, inferredMapping } from "./inference/infer-mapping.ts";
export { type ForeignKey, foreignKeysOf, idColumnOf } from "./inference/keys.ts";
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
export { busyTimeoutMs } from "./jobs/busy-suite.ts";
export { type CapturedRow, type DryRun, type DryRunLimits, DryRunReading } from "./jobs/dry-run.ts";
export { type ImportPlan, type OpenedFile, planImport } from "./jobs/import-plan.ts";
export {
  type ImportCounts,
  type ImportListener,
  type ImportParts,
  ImportRun,
  JobFailed,
} from "./jobs/import-run.ts";
export { type ImportState, type ImportStore, type ImportTotals, newState } from "./jobs/import-state.ts";
export type { Job, JobState } from "./jobs/job.ts";
export { lineText } from "./jobs/line-text.ts";
export { jobCharacters, type JobLimits, JobReader } from "./jobs/read-job.ts";
export type { RejectedLine } from "./jobs/rejected-lines.ts";
export { reasonText, rejectedText } from "./jobs/rejected-text.ts";
export { RowCursor } from "./jobs/row-cursor.ts";
export { isInterruption, uploadLines } from "./jobs/upload-lines.ts";
export { textOf } from "./mapping/convert.ts";
export type { Converted, Converter, FileColumns } from "./mapping/converter.ts";
export { importMappingSchema } from "./mapping/json-schema.ts";
export type { LineKind } from "./mapping/line-of.ts";
export { mappingFileText } from "./mapping/mapping-file-text.ts";
export { MappingFileFault } from "./mapping/mapping-file-fault.ts";
export { fits, type Mapping, readMapping, type Section } from "./mapping/read-mapping.ts";
export {
  encodings,
  FileMapping,
  ImportMapping,
  NodeMapping,
  type NodeName,
  type NodePropertyMapping,
  RelationshipMapping,
  type RelationshipPropertyMapping,
  type ValueKind,
  valueKinds,
  valueSources,
} from "./mapping/schema.ts";
export { parseTemplate, templateOf } from "./mapping/template.ts";
export { formatOfName, plainName, type TableFormat, tableFormats } from "./tables/format.ts";
export { type OpenOptions, openTable } from "./tables/open-table.ts";
export type { Row } from "./tables/row.ts";
export type { ReadOptions, Table, TableFile } from "./tables/table.ts";
