import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { requestContextOf } from "../http/request-context.ts";
import { traceContextOf, traceparentOf } from "./trace-context.ts";
import type { Attributes, Tracing } from "./tracing.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ratio = (text: string | undefined): number => {
  const given = Number(text ?? "1");
  return given >= 0 && given <= 1 ? given : 1;
};

/** OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG as the specification of OpenTelemetry has them. */
const samplerOf = (env: Environment): Sampler => {
  const ratioSampler = (): Sampler => new TraceIdRatioBasedSampler(ratio(env["OTEL_TRACES_SAMPLER_ARG"]));
  switch (env["OTEL_TRACES_SAMPLER"]) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return ratioSampler();
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: ratioSampler() });
    default:
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
};

const providerFor = (service: string, env: Environment): TracerProvider =>
  new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.namespace": "ikg" }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: samplerOf(env),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });

/** The context that continues a trace of another process. */
const contextFrom = (header: string | string[] | undefined): Context => {
  const parent = traceContextOf(header);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
};

/** A copy: the API does not promise to leave lists unchanged. */
const mutable = (attributes: Attributes): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );

/** Names the error and leaves out its message, which may quote values. */
const fail = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "unknown" });
};

/** Describes a request by what is known at its end. 499 stands for a client that left. */
const endServerSpan = (span: Span, request: IncomingMessage, response: ServerResponse): void => {
  const { operation, route, project } = requestContextOf(response);
  const status = response.writableFinished ? response.statusCode : 499;
  span.updateName(operation);
  span.setAttributes({
    "http.request.method": request.method ?? "",
    "http.route": route,
    "http.response.status_code": status,
    ...(project === undefined ? {} : { "ikg.project": project }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

const traceparentOfSpan = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceparentOf({ traceId, spanId, flags: traceFlags });
};

/** Traces as the standard variables of OpenTelemetry say. Its exporter reads addresses, headers and limits itself. */
export const openTelemetry = (service: string, env: Environment): Tracing => {
  const provider = providerFor(service, env);
  const tracer = provider.getTracer("ikg");
  const current = new AsyncLocalStorage<Context>();
  const activeContext = (): Context => current.getStore() ?? ROOT_CONTEXT;

  const within = async <T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> => {
    try {
      return await current.run(trace.setSpan(parent, span), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    isEnabled: true,
    serve: (request, response, work) => {
      const parent = contextFrom(request.headers["traceparent"]);
      const span = tracer.startSpan(request.method ?? "HTTP", { kind: SpanKind.SERVER }, parent);
      const context = requestContextOf(response);
      context.traceId = span.spanContext().traceId;
      context.traceparent = traceparentOfSpan(span);
      response.once("close", () => endServerSpan(span, request, response));
      current.run(trace.setSpan(parent, span), work);
    },
    span: (name, attributes, work) => {
      const parent = activeContext();
      return within(tracer.startSpan(name, { attributes: mutable(attributes) }, parent), parent, work);
    },
    recordFinished: (name, ms, attributes) => {
      const startTime = new Date(Date.now() - ms);
      const options = { kind: SpanKind.CLIENT, startTime, attributes: mutable(attributes) };
      tracer.startSpan(name, options, activeContext()).end();
    },
    job: (name, traceparent, work) => {
      const parent = contextFrom(traceparent);
      return within(tracer.startSpan(name, { kind: SpanKind.CONSUMER }, parent), parent, work);
    },
    traceparent: () => {
      const span = trace.getSpan(activeContext());
      return span && traceparentOfSpan(span);
    },
    close: () => provider.shutdown(),
  };
};
