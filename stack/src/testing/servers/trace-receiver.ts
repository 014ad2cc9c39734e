import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One span as it arrived. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A receiver of traces: OTLP over HTTP, in JSON. */
export interface TraceReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Every body as it came. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}
interface KeyValue {
  readonly key: string;
  readonly value: Value;
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly attributes: readonly KeyValue[];
      }[];
    }[];
  }[];
}

const plain = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown =>
  arrayValue?.values.map(plain) ?? stringValue ?? boolValue ?? doubleValue ?? Number(intValue);

const attributesOf = (given: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(given.map(({ key, value }) => [key, plain(value)]));

const spansIn = ({ resourceSpans }: Export): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = "", name, attributes }) => ({
        service: String(attributesOf(resource.attributes)["service.name"]),
        traceId,
        spanId,
        parentSpanId,
        name,
        attributes: attributesOf(attributes),
      })),
    ),
  );

export const startTraceReceiver = async (): Promise<TraceReceiver> => {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      bodies.push(text);
      const isExport = request.method === "POST" && request.url === "/v1/traces";
      // What comes is judged by the test; a body of another shape fails there.
      if (isExport) spans.push(...spansIn(JSON.parse(text) as Export));
      response.writeHead(isExport ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of TCP
    spans,
    bodies,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
