/** The parts of the header `traceparent` (W3C Trace Context, 3.2). */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const isNothing = (id: string): boolean => /^0+$/.test(id);

/** Reads the header; undefined for what is none, which then counts as not sent. */
export const traceContextOf = (header: string | string[] | undefined): TraceContext | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    (typeof header === "string" ? form.exec(header) : undefined) ?? [];
  if (version === undefined || version === "ff" || isNothing(traceId) || isNothing(spanId)) return undefined;
  // The version that is known has nothing behind the flags.
  if (version === "00" && more !== undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
};

/** Writes the header. */
export const traceparentOf = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
