import type { z } from "zod";
import { AuditKeys, Batch, Checkpoint, Manifest } from "../chain/artefacts.ts";
import { canonical } from "../chain/canonical.ts";
import { checkChain, type ChainCheck, type ChainVerification, type VerifyOptions } from "../chain/verify.ts";
import { type ExportFile, exportFiles } from "./files.ts";

/** The lines of each file of an export. */
export type ExportText = (file: ExportFile) => AsyncIterable<string>;

const restOf = (value: unknown, data: string | undefined): string =>
  data === undefined
    ? canonical(value)
    : // A quote within a text is escaped, so this is the member itself.
      canonical({ ...(value as Batch), data: 0 }).replace('"data":0', () => `"data":${data}`);

/** Parses a line and checks that it is the text that an export writes: otherwise a byte could be changed unnoticed. */
const readLine = <S extends z.ZodType>(
  schema: S,
  text: string,
  check: ChainCheck,
  line: string,
): { readonly value: z.output<S>; readonly data: string | undefined } | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    check.fail(line, "it is no JSON");
    return undefined;
  }
  const result = schema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    check.fail(line, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not as expected"}`);
    return undefined;
  }
  try {
    const data =
      typeof value === "object" && value !== null && "data" in value ? canonical(value.data) : undefined;
    if (restOf(value, data) === text) return { value: result.data, data };
  } catch {
    // A text without canonical form.
  }
  check.fail(line, "it is not in canonical form");
  return undefined;
};

export interface ExportOptions extends VerifyOptions {
  /** Called after every line, with the number of its UTF-16 units and one for its line feed: at most its bytes. */
  readonly onProgress?: (characters: number) => void;
  /** Called with every batch after its checks. */
  readonly onBatch?: (batch: Batch) => void;
}

/**
 * Verifies an exported chain by the procedure of docs/audit.md. Files are read once, line by line;
 * what is held grows with the number of batches, not of events.
 */
export const verifyExport = async (
  text: ExportText,
  options: ExportOptions = {},
): Promise<ChainVerification> => {
  const check = checkChain(options);
  const each = async <S extends z.ZodType>(
    file: ExportFile,
    schema: S,
    take: (value: z.output<S>, data: string | undefined) => unknown,
  ): Promise<number> => {
    let number = 0;
    for await (const line of text(file)) {
      number += 1;
      const read = readLine(schema, line, check, `line ${number} of ${exportFiles[file]}`);
      if (read !== undefined) await take(read.value, read.data);
      options.onProgress?.(line.length + 1);
    }
    return number;
  };
  const sets = await each("keys", AuditKeys, async ({ keys }) => {
    for (const jwk of keys) await check.key(jwk);
  });
  if (sets !== 1) check.fail(exportFiles.keys, "one set of keys expected");
  await each("manifests", Manifest, (manifest) => check.manifest(manifest));
  await each("batches", Batch, async (batch, data) => {
    await check.batch(batch, data);
    options.onBatch?.(batch);
  });
  await each("checkpoints", Checkpoint, (checkpoint) => check.checkpoint(checkpoint));
  return check.end();
};
