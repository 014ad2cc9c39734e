import type { GraphNode, GraphRelationship } from "../contract/wire.ts";
import type { Items } from "./batches.ts";

/** A line of an import. */
export type ImportLine = { readonly node: GraphNode } | { readonly relationship: GraphRelationship };

/** What an import takes: lines as objects, or NDJSON as text or bytes. */
export type ImportSource =
  | string
  | Blob
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | Items<ImportLine | string | Uint8Array>;

/** Bytes as `fetch` and compression take them: not of memory that threads share. */
type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that are sent at once when lines come as objects. */
const chunkCharacters = 65_536;

const encoder = new TextEncoder();

const isIterable = (source: object): source is Items<ImportLine | string | Uint8Array> =>
  Symbol.asyncIterator in source || Symbol.iterator in source;

/** Items as bytes: an object is a line, texts and bytes are sent as they are. */
async function* bytesOf(
  items: Items<ImportLine | string | Uint8Array>,
): AsyncGenerator<Bytes, void, undefined> {
  let text = "";
  for await (const item of items) {
    if (item instanceof Uint8Array) {
      if (text !== "") yield encoder.encode(text);
      text = "";
      yield item as Bytes;
      continue;
    }
    text += typeof item === "string" ? item : `${JSON.stringify(item)}\n`;
    if (text.length < chunkCharacters) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}

const streamOf = (chunks: AsyncGenerator<Bytes, void, undefined>): ReadableStream<Bytes> =>
  new ReadableStream<Bytes>({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await chunks.return()),
  });

const asStream = (source: ImportSource): ReadableStream<Bytes> => {
  if (source instanceof ReadableStream) return source as ReadableStream<Bytes>;
  if (source instanceof Blob) return source.stream();
  if (typeof source === "string" || source instanceof Uint8Array) return new Blob([source]).stream();
  if (isIterable(source)) return streamOf(bytesOf(source));
  throw new TypeError("an import takes text, bytes, a stream, or lines one by one");
};

/** True where `fetch` takes a stream: browsers do so over HTTP/2 alone, and otherwise send its text. */
const takesStreams = (): boolean => !("document" in globalThis);

/** The body of an upload. @param gzip compresses it on the way. */
export const uploadBody = async (
  source: ImportSource,
  gzip: boolean,
): Promise<ReadableStream<Bytes> | Blob> => {
  const plain = asStream(source);
  const stream = gzip ? plain.pipeThrough(new CompressionStream("gzip")) : plain;
  return takesStreams() ? stream : new Response(stream).blob();
};
