import { IkgError } from "../errors/ikg-error.ts";
import type { Transport } from "../transport/transport.ts";
import { type AdminCall, callAdmin } from "./admin-transport.ts";

/**
 * Reads one record. Where there is none the error names it: a call often reads a record of the project first, and the response alone
 * does not say which of the two is missing.
 *
 * @param collection as paths have it, `/projects`
 */
// The caller names the type that the contract gives to the body.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const readRecord = async <T>(
  transport: Transport,
  collection: string,
  idOrName: string,
  call: Omit<AdminCall, "path">,
): Promise<{ readonly body: T; readonly etag: string | undefined }> => {
  try {
    const path = `/configs/v1${collection}/${encodeURIComponent(idOrName)}`;
    return await callAdmin<T>(transport, { ...call, path });
  } catch (error) {
    if (!(error instanceof IkgError) || error.code !== "not_found" || error.errors.length > 0) throw error;
    const errors = [`${collection.slice(1)}: no record ${idOrName}`];
    const { code, status, summary: message, requestId, retryAfter } = error;
    throw new IkgError({ code, status, message, errors, requestId, retryAfter });
  }
};
