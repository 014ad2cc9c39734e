import { noTracing, type Tracing } from "./tracing.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** True when the standard variables of OpenTelemetry name an endpoint for traces. */
export const wantsTraces = (env: Environment): boolean =>
  env["OTEL_SDK_DISABLED"] !== "true" &&
  env["OTEL_TRACES_EXPORTER"] !== "none" &&
  Boolean(env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"]);

/** The packages of OpenTelemetry are loaded only where traces are exported. */
export const openTracing = async (service: string, env: Environment = process.env): Promise<Tracing> => {
  if (!wantsTraces(env)) return noTracing;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(service, env);
};
