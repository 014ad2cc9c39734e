import { callHeaders } from "../call-headers.ts";
import type { DataPlane } from "../data-plane.ts";
import type { Import } from "../contract/wire.ts";
import type { CallOptions } from "../transport/options.ts";
import { ImportJob } from "./import-job.ts";
import { type ImportSource, uploadBody } from "./lines.ts";

export interface ImportOptions extends CallOptions {
  /** False: sends the lines as they are. By default they are compressed on the way. */
  readonly gzip?: boolean | undefined;
  /** The source is gzip data already, for example a file that ends in `.gz`. */
  readonly compressed?: boolean | undefined;
  /** Of the upload; no limit by default, because it takes as long as its source. */
  readonly timeoutMs?: number | undefined;
}

/** Uploads lines. It is not repeated: a stream can be read once. */
export const startImport = async (
  plane: DataPlane,
  source: ImportSource,
  { gzip = true, compressed = false, signal, timeoutMs = Infinity }: ImportOptions = {},
): Promise<ImportJob> => {
  const { transport, bearer } = plane;
  const { body } = await transport.send<Import>({
    method: "POST",
    path: "/capture/v1/imports",
    headers: {
      ...callHeaders({ bearer }),
      "content-type": "application/x-ndjson",
      ...((gzip || compressed) && { "content-encoding": "gzip" }),
    },
    body: await uploadBody(source, gzip && !compressed),
    idempotent: false,
    repeatUnexecuted: false,
    signal,
    timeoutMs,
  });
  return new ImportJob(plane, body.id);
};
