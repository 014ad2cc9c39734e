import { Problem } from "@ikg/contracts";

/** What this process takes of uploads, whatever their projects may send. */
export interface UploadSettings {
  /** Uploads at once; a project has a quarter of them at most. */
  readonly uploads: number;
  /** Milliseconds that one may take. */
  readonly longestMs: number;
  /** Bytes of text for each byte that was sent, at most. */
  readonly ratio: number;
}

/** Text below this length may be compressed as well as it likes: lines of a test repeat themselves. */
const ratioFromBytes = 16 * 1024 * 1024;

/**
 * Judges the length of a text under way.
 *
 * @throws Problem `unprocessable` (422) naming the limit, or the setting.
 */
export const judgeLength = (
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

/** The answer to an upload that takes too long. */
export const tookTooLong = (longestMs: number): Problem =>
  new Problem("request_timeout", {
    errors: [
      `body: the upload takes longer than ${longestMs / 1000} s (setting IMPORT_UPLOAD_SECONDS); send the lines in several imports`,
    ],
  });

/** Uploads under way. */
export interface UploadSlots {
  /**
   * Takes a slot.
   *
   * @returns what gives it back.
   * @throws Problem `too_many_requests` (429) when the project has its share, `unavailable` (503) when none is free.
   */
  take(project: string): () => void;
}

export const openUploadSlots = (slots: number): UploadSlots => {
  const share = Math.max(1, Math.floor(slots / 4));
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (project) => {
      const own = taken.get(project) ?? 0;
      const headers = { "Retry-After": "5" };
      if (own >= share)
        throw new Problem("too_many_requests", {
          errors: [
            `imports: ${own} uploads of the project are under way here (a quarter of the setting IMPORT_UPLOADS, ${slots})`,
          ],
          headers,
        });
      if (all >= slots)
        throw new Problem("unavailable", {
          errors: [`imports: ${all} uploads are under way here (setting IMPORT_UPLOADS, ${slots})`],
          headers,
        });
      all += 1;
      taken.set(project, own + 1);
      return () => {
        all -= 1;
        const left = (taken.get(project) ?? 1) - 1;
        if (left === 0) taken.delete(project);
        else taken.set(project, left);
      };
    },
  };
};
