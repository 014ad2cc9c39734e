import { AsyncLocalStorage } from "node:async_hooks";
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
import { requestContextOf } from "../request-context.ts";
import { traceContextOf, traceparentOf } from "./trace-context.ts";
import type { Attributes, Tracing } from "./tracing.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ratio = (text: string | undefined): number => {
  const given = Number(text ?? "1");
  return given >= 0 && given <= 1 ? given : 1;
};

/** OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG as the specification of OpenTelemetry has them. */
const samplerOf = (env: Environment): Sampler => {
  const part = (): Sampler => new TraceIdRatioBasedSampler(ratio(env["OTEL_TRACES_SAMPLER_ARG"]));
  switch (env["OTEL_TRACES_SAMPLER"]) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return part();
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: part() });
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

/** The context in which a trace goes on that another process began. */
const contextFrom = (header: string | string[] | undefined): Context => {
  const parent = traceContextOf(header);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
};

/** The API does not promise to leave lists as they are. */
const mutable = (attributes: Attributes): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );

/** What failed is told by its name alone: messages may quote values. */
const fail = (span: Span, error: unknown): void => {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "unknown" });
};

/** Traces as the standard variables of OpenTelemetry say. Its exporter reads addresses, headers and limits itself. */
export const openTelemetry = (service: string, env: Environment): Tracing => {
  const provider = providerFor(service, env);
  const tracer = provider.getTracer("ikg");
  const current = new AsyncLocalStorage<Context>();
  const under = (): Context => current.getStore() ?? ROOT_CONTEXT;

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
    on: true,
    serve: (request, response, work) => {
      const parent = contextFrom(request.headers["traceparent"]);
      const span = tracer.startSpan(request.method ?? "HTTP", { kind: SpanKind.SERVER }, parent);
      const context = requestContextOf(response);
      const { traceId, spanId, traceFlags } = span.spanContext();
      context.traceId = traceId;
      context.traceparent = traceparentOf({ traceId, spanId, flags: traceFlags });
      response.once("close", () => {
        const status = response.writableFinished ? response.statusCode : 499;
        span.updateName(context.operation);
        span.setAttributes({
          "http.request.method": request.method ?? "",
          "http.route": context.route,
          "http.response.status_code": status,
          ...(context.project === undefined ? {} : { "ikg.project": context.project }),
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      current.run(trace.setSpan(parent, span), work);
    },
    span: (name, attributes, work) => {
      const parent = under();
      return within(tracer.startSpan(name, { attributes: mutable(attributes) }, parent), parent, work);
    },
    past: (name, ms, attributes) => {
      const startTime = new Date(Date.now() - ms);
      const options = { kind: SpanKind.CLIENT, startTime, attributes: mutable(attributes) };
      tracer.startSpan(name, options, under()).end();
    },
    job: (name, traceparent, work) => {
      const parent = contextFrom(traceparent);
      return within(tracer.startSpan(name, { kind: SpanKind.CONSUMER }, parent), parent, work);
    },
    traceparent: () => {
      const span = trace.getSpan(under());
      if (span === undefined) return undefined;
      const { traceId, spanId, traceFlags } = span.spanContext();
      return traceparentOf({ traceId, spanId, flags: traceFlags });
    },
    close: () => provider.shutdown(),
  };
};
