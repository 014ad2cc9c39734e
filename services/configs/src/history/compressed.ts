import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { Data } from "../records/record.ts";

/** A record before and after a change. */
export interface BeforeAndAfter {
  readonly before?: Data;
  readonly after?: Data;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// Both states are alike, so the window holds them together.
const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 };

const bytesOf = (buffer: Buffer): Int8Array =>
  new Int8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

/** @returns what is stored, and its length before it was compressed. */
export const compressed = async (
  content: BeforeAndAfter,
): Promise<{ readonly data: Int8Array; readonly bytes: number }> => {
  const text = Buffer.from(JSON.stringify(content));
  return { data: bytesOf(await compress(text, { params })), bytes: text.length };
};

/** Reads what is stored; undefined has no content. */
export const decompressed = async (data: unknown): Promise<BeforeAndAfter> => {
  if (!(data instanceof Int8Array)) return {};
  const text = await decompress(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return JSON.parse(text.toString()) as BeforeAndAfter; // written above
};
