import type { SharedBudget } from "@ikg/service";
import type { McpRequest } from "../mcp-request.ts";

/** Bytes of an answer that need no reservation: most answers are smaller. */
const unreservedBytes = 65_536;
/** Bytes that are reserved for a larger one, once: an answer that has some and waits for more could keep out all others. */
const reservedBytes = 1_000_000;
/** Bytes besides the requested rows: an explanation, and values that could not be fetched. */
const maxOtherBytes = 3_000_000;

/**
 * Reads the JSON that a service answers. A large one is read on only when there is memory for it, which is held until the
 * result is sent.
 *
 * @param resultBytes requested bytes of rows.
 * @throws Problem `too_many_requests` (429) or `unavailable` (503) without memory; Error for an answer without end.
 */
export const readAnswer = async (
  body: AsyncIterable<Uint8Array>,
  { endpoint, onAnswered }: Pick<McpRequest, "endpoint" | "onAnswered">,
  memory: SharedBudget,
  resultBytes: number,
): Promise<unknown> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let isReserved = false;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > resultBytes + maxOtherBytes) throw new Error("the response of a service is too large");
    if (bytes > unreservedBytes && !isReserved) {
      const amount = Math.max(reservedBytes, resultBytes);
      const reservation = await memory.reserve(endpoint.view.project, amount);
      onAnswered(() => reservation.release());
      isReserved = true;
    }
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
};
