import { callHeaders } from "../call-headers.ts";
import type { DataPlane } from "../data-plane.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { jsonLines } from "../transport/json-lines.ts";
import type { ImportLine } from "./lines.ts";

export interface ExportOptions {
  /** Only nodes of these types, and relationships between them. */
  readonly types?: readonly string[] | undefined;
  /** The longest wait for the next line; 60 s by default. The whole export takes as long as it takes. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How much a complete export has. A node with much content has several lines. */
export interface ExportCounts {
  readonly nodes: number;
  readonly relationships: number;
}

interface CompleteLine {
  readonly complete: ExportCounts;
}

const defaultSilenceMs = 60_000;

/**
 * The lines of an export.
 *
 * @param projectId of an administrator's; a key exports its own project.
 * @returns what the last line says, when all are there.
 * @throws IkgUnreachable where the response ended before that.
 */
export async function* exportGraph(
  { transport, bearer }: Pick<DataPlane, "transport" | "bearer">,
  { types, silenceMs = defaultSilenceMs, signal }: ExportOptions = {},
  projectId?: string,
): AsyncGenerator<ImportLine, ExportCounts, undefined> {
  const request = {
    method: "GET",
    path: "/capture/v1/export",
    query: { types: types?.join(","), project_id: projectId },
    headers: callHeaders({ bearer }),
    idempotent: true,
    signal,
    timeoutMs: silenceMs,
  } as const;
  let counts: ExportCounts | undefined;
  for await (const line of jsonLines<ImportLine | CompleteLine>(transport, request, "silence"))
    if ("complete" in line) counts = line.complete;
    else yield line;
  if (counts === undefined)
    throw new IkgUnreachable("invalid_response", "the export ended before all of its lines were there");
  return counts;
}
