/** Where `@opentelemetry/api` 1.x keeps what an application registered, for every copy of the package in a process. */
const registry = Symbol.for("opentelemetry.js.api.1");

interface Registered {
  readonly context?: { active(): unknown };
  readonly propagation?: {
    inject(
      context: unknown,
      carrier: object,
      setter: { set(carrier: object, name: string, value: string): void },
    ): void;
  };
}

/**
 * Headers by which the spans of the services join the caller's trace (W3C Trace Context); none where the application has
 * not set up OpenTelemetry. The package is not imported: an import of a package that may be absent breaks bundlers.
 */
export const traceHeaders = (): Record<string, string> => {
  const { context, propagation } = (globalThis as { [registry]?: Registered })[registry] ?? {};
  const headers: Record<string, string> = {};
  if (context === undefined || propagation === undefined) return headers;
  propagation.inject(context.active(), headers, {
    set: (_, name, value) => {
      if (name === "traceparent" || name === "tracestate") headers[name] = value;
    },
  });
  return headers;
};
