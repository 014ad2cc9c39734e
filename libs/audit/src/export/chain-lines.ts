import { canonical } from "../chain/canonical.ts";
import type { ExportFile } from "./files.ts";
import type { ExportText } from "./verify-export.ts";

/** What a line of manifests and checkpoints is read for. */
interface Signed {
  readonly sequence: number;
  readonly kid: string;
}

/** A chain as the endpoints of docs/audit.md show it. */
export interface ChainSource {
  manifests(): AsyncIterable<Signed>;
  /** In the order of the chain. */
  batches(): AsyncIterable<{ readonly sequence: number }>;
  /** The newest first. */
  checkpoints(): AsyncIterable<Signed>;
  /** A set of keys (RFC 7517). */
  keys(): Promise<{ readonly keys: readonly { readonly kid: string }[] }>;
}

const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/**
 * The lines of an export of a chain, as far as it had come when the first line was asked for. Keys are read after what
 * they signed, so that none is missing; what is held is the manifests, not the records.
 */
export const chainLines = (source: ChainSource): ExportText => {
  const read = async () => {
    const manifests = await collect(source.manifests());
    const last = manifests.at(-1)?.sequence ?? 0;
    const all = await collect(source.checkpoints());
    const checkpoints = all.filter(({ sequence }) => sequence <= last).toReversed();
    const used = new Set([...manifests, ...checkpoints].map(({ kid }) => kid));
    const { keys } = await source.keys();
    return { manifests, last, checkpoints, keys: [{ keys: keys.filter(({ kid }) => used.has(kid)) }] };
  };
  let chain: ReturnType<typeof read> | undefined;
  return async function* (file: ExportFile): AsyncGenerator<string> {
    const known = await (chain ??= read());
    if (file === "batches") {
      for await (const batch of source.batches()) if (batch.sequence <= known.last) yield canonical(batch);
    } else for (const item of known[file]) yield canonical(item);
  };
};
