import { callDataPlane, type DataPlane, writeInTurn } from "../data-plane.ts";
import type { SkippedItem, UpsertResults } from "../contract/wire.ts";
import { IkgError } from "../errors/ikg-error.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import type { CallOptions } from "../transport/options.ts";
import { batchesOf, inParallel, type Items } from "./batches.ts";

export interface CaptureOptions extends CallOptions {
  /** Concurrent requests, at least 1; default 4. Those of a session go one after the other. */
  readonly concurrency?: number | undefined;
}

export interface CaptureResult {
  /** One for each item, in the order of the items; the id of what was left out or did not exist is empty. */
  readonly results: readonly { readonly id: string }[];
  /** Items that were left out, with `onMissing: "skip"`. */
  readonly skipped: readonly SkippedItem[];
}

/** Where items go, and what is sent beside them. */
export interface CaptureTarget {
  readonly path: string;
  /** The member of the body that holds the items. */
  readonly member: "nodes" | "relationships";
  readonly otherMembers?: Readonly<Record<string, unknown>>;
}

const defaultConcurrency = 4;

/** The error of a part with the indexes of the whole: `nodes[3]` of the second part is `nodes[253]`. */
const relocated = (error: unknown, member: string, from: number): unknown => {
  if (!(error instanceof IkgError) || from === 0) return error;
  const { code, status, summary: message, requestId, retryAfter } = error;
  const moved = (text: string): string =>
    text.replace(new RegExp(`^${member}\\[(\\d+)\\]`), (_, at: string) => `${member}[${Number(at) + from}]`);
  return new IkgError({ code, status, message, errors: error.errors.map(moved), requestId, retryAfter });
};

/**
 * Sends any number of items in requests of 250. A request is one transaction; after a failure those before it stay
 * written, and the call may be repeated as a whole: captures are idempotent.
 *
 * @throws TypeError for a concurrency below 1.
 */
export const captureBatches = async <T>(
  plane: DataPlane,
  { path, member, otherMembers }: CaptureTarget,
  items: Items<T>,
  { concurrency = defaultConcurrency, signal, timeoutMs }: CaptureOptions = {},
): Promise<CaptureResult> => {
  // NaN would start no request, and the call would succeed without having written anything.
  if (!(concurrency >= 1))
    throw new TypeError(`concurrency: a number of at least 1 expected, ${concurrency} given`);
  const results: { readonly id: string }[] = [];
  const skipped: SkippedItem[] = [];
  const send = async (batch: readonly T[]): Promise<UpsertResults> => {
    const json = { [member]: batch, ...otherMembers };
    const call = { path, json, idempotent: true, signal, timeoutMs };
    const { body } = await callDataPlane<UpsertResults>(plane, call);
    if (Array.isArray(body.results) && body.results.length === batch.length) return body;
    throw new IkgUnreachable("invalid_response", "the response does not have one result per item");
  };
  await inParallel(batchesOf(items), concurrency, async (batch) => {
    const body = await writeInTurn(plane, signal, () => send(batch.items)).catch((error: unknown) => {
      throw relocated(error, member, batch.from);
    });
    body.results.forEach((result, at) => (results[batch.from + at] = result));
    for (const { index, reason } of body.skipped ?? []) skipped.push({ index: index + batch.from, reason });
  });
  return { results, skipped: skipped.sort((one, other) => one.index - other.index) };
};
