import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listen } from "../http/listen.ts";
import type { Logger } from "../logs/log.ts";
import { repeatedReport } from "../logs/repeated-report.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { measureProcess } from "../metrics/process-metrics.ts";
import { logLevels } from "../settings/settings.ts";

const longestLevel = 16;

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > longestLevel) break;
  }
  return text.trim();
};

const answer = (response: ServerResponse, status: number, text: string, type = "text/plain"): void =>
  void response.writeHead(status, { "Content-Type": type }).end(text);

/** The level until the process ends; nothing else is remembered. */
const setLevel = async (request: IncomingMessage, response: ServerResponse, log: Logger): Promise<void> => {
  const level = await textOf(request);
  if (!(logLevels as readonly string[]).includes(level)) {
    answer(response, 400, `one of ${logLevels.join(", ")} expected\n`);
    return;
  }
  const former = log.level;
  log.level = level;
  log.info("log level changed", { from: former, to: level });
  answer(response, 200, `${level}\n`);
};

/**
 * Serves what is for operators alone on a port of its own, so that it is never reachable through the gateway:
 * GET /metrics, and GET and PUT /log-level.
 *
 * @throws StartError when it cannot listen there.
 */
export const serveAdmin = async (
  metrics: Metrics,
  log: Logger,
  port: number,
  host: string,
): Promise<Server> => {
  measureProcess(metrics.registry);
  const answers: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>
  > = {
    "GET /metrics": async (_request, response) =>
      answer(response, 200, await metrics.registry.metrics(), metrics.registry.contentType),
    "GET /log-level": async (_request, response) => answer(response, 200, `${log.level}\n`),
    "PUT /log-level": (request, response) => setLevel(request, response, log),
  };
  const server = createServer((request, response) => {
    const found = answers[`${request.method} ${request.url}`];
    if (found === undefined) answer(response, 404, "");
    else found(request, response).catch(() => response.destroy());
  });
  const report = repeatedReport();
  await listen(server, { port, host, setting: "METRICS_PORT" }, (error) =>
    report((refused) => log.warn("connections to METRICS_PORT cannot be accepted", { refused, error })),
  );
  return server;
};
