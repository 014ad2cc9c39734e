export * from "./chain/artefacts.ts";
export { canonical } from "./chain/canonical.ts";
export { headHash, type Link, sha256 } from "./chain/hashes.ts";
export {
  detachedSignature,
  type SignBytes,
  type SignedKind,
  type SigningKeyName,
  type Unsigned,
} from "./chain/signature.ts";
export {
  checkChain,
  type ChainCheck,
  type FailedCheck,
  type ChainVerification,
  type VerifyOptions,
} from "./chain/verify.ts";
export {
  signatureFault,
  verifyingKey,
  type VerifyingKey,
  type VerifyingKeys,
} from "./chain/verify-signature.ts";
export { type Emission, type EmissionParts, openEmission } from "./emission/emit.ts";
export {
  chainsWithBounds,
  defaultBounds,
  sharedPart,
  stateBounds,
  stateProjectBound,
  type WaitingBounds,
} from "./emission/bounds.ts";
export { addUpEntries, countEntries, removeEntries } from "./emission/scripts.ts";
export {
  chainsKey,
  entryOverhead,
  organizationField,
  recordField,
  serverKey,
  streamKey,
  totalKey,
  waitingKey,
} from "./emission/stream.ts";
export {
  type Actor,
  type AuditedRequest,
  type OnBehalfOf,
  type Outcome,
  type Repeats,
} from "./records/envelope.ts";
export {
  type AuditRecord,
  type AuditType,
  type DataOf,
  recordData,
  recordSchemas,
} from "./records/record.ts";
export { fitRecord, maxRecordBytes } from "./records/fit-record.ts";
export { inputParamModes, type RedactionSettings, valueModes } from "./records/redaction-settings.ts";
export { signingFailures } from "./records/work.ts";
export { chainLines, type ChainSource } from "./export/chain-lines.ts";
export { exportFiles, type ExportFile } from "./export/files.ts";
export { linesOf } from "./export/lines.ts";
export { verifyExport, type ExportText } from "./export/verify-export.ts";
