import { exportFiles, type ExportFile, type ExportText, linesOf } from "@ikg/audit/verification";
import { type ChosenFiles, chunksOf, lastSequence } from "./export-files.ts";

/** Files of an export that were not chosen. */
export const missingFiles = (chosen: ChosenFiles): readonly ExportFile[] =>
  (Object.keys(exportFiles) as ExportFile[]).filter((kind) => chosen[kind] === undefined); // of the table

/**
 * The lines of chosen files, and in the place of files that are missing those of the service.
 *
 * @param service the chain of the service as far as a batch, which is the last of the files.
 */
export const fileLines = (
  chosen: ChosenFiles,
  service: (last: number | undefined) => ExportText,
): ExportText => {
  const longest = chosen.manifests ?? chosen.batches;
  let rest: Promise<ExportText> | undefined;
  const ofService = async (): Promise<ExportText> =>
    service(longest === undefined ? undefined : await lastSequence(longest));
  return async function* (kind: ExportFile): AsyncGenerator<string> {
    const file = chosen[kind];
    if (file !== undefined) yield* linesOf(chunksOf(file));
    else yield* (await (rest ??= ofService()))(kind);
  };
};
