import { chainLines, type ExportText } from "@ikg/audit/verification";
import type { IkgAdmin } from "@ikg/client";

export interface ServiceLinesOptions {
  readonly signal: AbortSignal;
  /** The chain is read as far as this batch; as far as it has come by default. */
  readonly last?: number | undefined;
  /** Called with each manifest and checkpoint that was read: all are read before the first line. */
  readonly onRead?: (list: "manifests" | "checkpoints") => void;
}

/** Small enough that reading a page of full batches does not hold up the page. */
const pageSize = 15;

/** The chain of a project as the service shows it, as the lines of an export. */
export const serviceLines = (
  admin: IkgAdmin,
  { signal, last = Number.POSITIVE_INFINITY, onRead }: ServiceLinesOptions,
): ExportText => {
  const until = async function* <T extends { readonly sequence: number }>(
    items: AsyncIterable<T>,
    list?: "manifests" | "checkpoints",
  ): AsyncGenerator<T> {
    for await (const item of items) {
      if (list !== undefined) onRead?.(list);
      if (item.sequence <= last) yield item;
      // Checkpoints come the newest first.
      else if (list !== "checkpoints") return;
    }
  };
  return chainLines({
    manifests: () => until(admin.audit.manifests({ signal }), "manifests"),
    batches: () => until(admin.audit.batches({ signal, pageSize })),
    checkpoints: () => until(admin.audit.checkpoints({ signal }), "checkpoints"),
    keys: () => admin.audit.keys({ signal }),
  });
};
