import { exportFiles, type ExportFile } from "@ikg/audit/verification";

/** Files of an export by what they hold. */
export type ChosenFiles = Readonly<Partial<Record<ExportFile, File>>>;

const kinds = Object.keys(exportFiles) as ExportFile[]; // of the table

/** How the first line of each begins: members are sorted. */
const beginnings: readonly (readonly [RegExp, ExportFile])[] = [
  [/^\{"keys":/, "keys"],
  [/^\{"alg":"[^"]*","batch_id":"[^"]*","chain_hash":/, "batches"],
  [/^\{"alg":"[^"]*","batch_id":"[^"]*","created_at":/, "manifests"],
  [/^\{"alg":"[^"]*","checkpoint_id":/, "checkpoints"],
];

const headBytes = 1_024;

/** What a file of an export holds: by its name, else by how it begins; undefined for another file. */
export const kindOfFile = async (file: File): Promise<ExportFile | undefined> => {
  const named = kinds.find((kind) => exportFiles[kind] === file.name);
  if (named !== undefined) return named;
  const head = await file.slice(0, headBytes).text();
  return beginnings.find(([beginning]) => beginning.test(head))?.[1];
};

/** More than a batch has, which has a megabyte of records. */
const tailBytes = 4 * 2 ** 20;

/** The place in the chain of the last line of a file; undefined where that cannot be read. */
export const lastSequence = async (file: File): Promise<number | undefined> => {
  const tail = await file.slice(-tailBytes).text();
  const line = tail.trimEnd().split("\n").at(-1) ?? "";
  try {
    const { sequence } = JSON.parse(line) as { readonly sequence?: unknown }; // checked here
    return typeof sequence === "number" ? sequence : undefined;
  } catch {
    return undefined;
  }
};

/** The bytes of a file as they are read. Not by iterating over the stream, which not every browser does. */
export async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
