import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
/** Fields of a record as a `put` takes them. */
type Content = Readonly<Record<string, unknown>>;

/** A record before and after a change, as change records keep it. */
export interface ChangeContent {
  readonly before?: Content;
  readonly after?: Content;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// Both states are alike, so the window holds them together.
const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 };

const bytesOf = (buffer: Buffer): Int8Array =>
  new Int8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

/** @returns what is stored, and its length before it was compressed. */
export const compressContent = async (
  content: ChangeContent,
): Promise<{ readonly data: Int8Array; readonly bytes: number }> => {
  const text = Buffer.from(JSON.stringify(content));
  return { data: bytesOf(await compress(text, { params })), bytes: text.length };
};

/** Reads what is stored; undefined has no content. */
export const decompressContent = async (data: unknown): Promise<ChangeContent> => {
  if (!(data instanceof Int8Array)) return {};
  const text = await decompress(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return JSON.parse(text.toString()) as ChangeContent; // written above
};
