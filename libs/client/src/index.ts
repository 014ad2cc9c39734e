export { IkgAdmin, type IkgAdminOptions } from "./admin/ikg-admin.ts";
export type { Audit, AuditKey, AuditKeySet, AuditOptions, BatchesOptions } from "./admin/audit.ts";
export type { ApplyOptions, Changes, RevertOptions } from "./admin/changes.ts";
export type {
  Collection,
  CredentialCollection,
  DeleteOptions,
  ListOptions,
  ReadOptions,
  ScopeOptions,
  UpdateOptions,
  WithEtag,
} from "./admin/collection.ts";
export type { CursorOptions, CursorPage } from "./admin/cursor-pages.ts";
export type { Graph, NeighboursOptions, NodesOptions } from "./admin/graph.ts";
export type { LanguageCollection, RecordVersion, RollbackOptions } from "./admin/language-collection.ts";
export { replayPortions } from "./admin/replay-portions.ts";
export type { ReplayFields, SimulationFields, Simulations } from "./admin/simulations.ts";
export type { Items } from "./capture/batches.ts";
export type { CaptureOptions, CaptureResult } from "./capture/capture-batches.ts";
export type { Capture, RelationshipOptions } from "./capture/capture.ts";
export type { ExportCounts, ExportOptions } from "./capture/graph-export.ts";
export type { ImportJob, ProgressOptions, RejectedLine } from "./capture/import-job.ts";
export type { ImportOptions } from "./capture/imports.ts";
export type { ImportLine, ImportSource } from "./capture/lines.ts";
export type { ProblemCode } from "./contract/problems.ts";
export type * from "./contract/records.ts";
export type * from "./contract/wire.ts";
export type { DecideOptions, InputOptions } from "./decisions/question.ts";
export type { EntityRef, SearchOptions, SearchPage } from "./decisions/search.ts";
export { IkgError } from "./errors/ikg-error.ts";
export { IkgUnreachable, type UnreachableReason } from "./errors/ikg-unreachable.ts";
export { isNotFound } from "./errors/is-not-found.ts";
export { isOutcomeUnknown, isUnexecuted } from "./errors/outcome.ts";
export { type Advice, StepUpRequired } from "./errors/step-up-required.ts";
export { Ikg, type IkgOptions, type IkgSession } from "./ikg.ts";
export type { Pages } from "./pages.ts";
export type { Person, Subject } from "./person.ts";
export type { SignedIn } from "./signed-in.ts";
export type { QueryOptions, QueryParams, RowPage, RowsOptions } from "./queries/query.ts";
export type { CallOptions, ConnectionOptions } from "./transport/options.ts";
export { type IkgSchema, type QuerySchema, typed, type TypedIkg, type TypedPerson } from "./typed.ts";
