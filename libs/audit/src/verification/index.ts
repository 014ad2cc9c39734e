/**
 * The verification of a chain for pages: it needs WebCrypto and nothing of Node. Its schemas generate no code at run time,
 * which the policy of such a page forbids.
 */
import "./without-generated-code.ts";

export type { Batch, Checkpoint, Manifest, StoredEvent } from "../chain/artefacts.ts";
export type { FailedCheck, ChainVerification } from "../chain/verify.ts";
export { chainLines, type ChainSource } from "../export/chain-lines.ts";
export { exportFiles, type ExportFile } from "../export/files.ts";
export { linesOf } from "../export/lines.ts";
export { type ExportOptions, type ExportText, verifyExport } from "../export/verify-export.ts";
