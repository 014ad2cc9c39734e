import { createServer, type Server } from "node:http";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Numbers about one process, in a registry of its own. */
export interface Metrics {
  readonly registry: Registry;
  observeRequest(operation: string, method: string, status: number, ms: number): void;
  observeStatement(ms: number, failed: boolean): void;
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, labels?: readonly string[]): Gauge;
  /** Of durations in seconds. */
  histogram(name: string, help: string, labels?: readonly string[]): Histogram;
}

export const openMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const requests = new Histogram({
    name: "ikg_request_duration_seconds",
    help: "Duration of answered requests.",
    labelNames: ["operation", "method", "status"],
    buckets: seconds,
    registers,
  });
  const statements = new Histogram({
    name: "ikg_statement_duration_seconds",
    help: "Duration of database statements as the process sees them.",
    labelNames: ["failed"],
    buckets: seconds,
    registers,
  });
  return {
    registry,
    observeRequest: (operation, method, status, ms) =>
      requests.observe({ operation, method, status }, ms / 1000),
    observeStatement: (ms, failed) => statements.observe({ failed: String(failed) }, ms / 1000),
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: [...labels], registers }),
    histogram: (name, help, labels = []) =>
      new Histogram({ name, help, labelNames: [...labels], buckets: seconds, registers }),
  };
};

/** Serves GET /metrics on a port of its own, so that numbers are never reachable through the gateway. */
export const serveMetrics = (metrics: Metrics, port: number, host: string): Promise<Server> => {
  collectDefaultMetrics({ register: metrics.registry });
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { "Content-Type": metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => resolve(server));
  });
};
