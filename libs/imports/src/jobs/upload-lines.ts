import type { Ikg } from "@ikg/client";
import { InputFault } from "../input-fault.ts";
import type { Job } from "./job.ts";

/** The error of reading a file, if it caused the request to fail. */
const faultOf = (error: unknown): InputFault | undefined => {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof InputFault) return each;
  return undefined;
};

/**
 * Uploads lines. If the upload is interrupted, the suite discards what it has received.
 *
 * @throws InputFault if the lines cannot be read, the reason of the signal, and errors of the client.
 */
export const uploadLines = async (
  ikg: Ikg,
  lines: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<Job> => {
  try {
    return await ikg.capture.import(lines, { signal });
  } catch (error) {
    throw faultOf(error) ?? error;
  }
};

export const isInterruption = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error === signal.reason;
