import { Problem } from "@ikg/contracts";

/** Limits of this process for uploads of all projects. */
export interface UploadSettings {
  /** Uploads at once; a project has a quarter of them at most. */
  readonly uploads: number;
  /** Longest duration of one upload, in milliseconds. */
  readonly longestMs: number;
  /** Bytes of text for each byte that was sent, at most. */
  readonly ratio: number;
}

/** Text below this length may be compressed as well as it likes: lines of a test repeat themselves. */
const ratioFromBytes = 16 * 1024 * 1024;

/**
 * Checks the length of a text while it is received.
 *
 * @throws Problem `unprocessable` (422) naming the limit, or the setting.
 */
export const checkLength = (
  textBytes: number,
  sentBytes: number,
  { limit, ratio }: { readonly limit: number; readonly ratio: number },
): void => {
  if (textBytes > limit)
    throw new Problem("unprocessable", {
      errors: [`body: at most ${limit} bytes expected, decompressed (limit import_bytes, ${limit})`],
    });
  if (textBytes > ratioFromBytes && textBytes > sentBytes * ratio)
    throw new Problem("unprocessable", {
      errors: [
        `body: at most ${ratio} bytes expected for each byte sent (setting IMPORT_COMPRESSION_RATIO, ${ratio})`,
      ],
    });
};

/** The error for an upload that takes too long. */
export const uploadTimeout = (longestMs: number): Problem =>
  new Problem("request_timeout", {
    errors: [
      `body: the upload takes longer than ${longestMs / 1000} s (setting IMPORT_UPLOAD_SECONDS); send the lines in several imports`,
    ],
  });
