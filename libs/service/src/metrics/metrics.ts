import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { openProjectSeries, type ProjectSeries } from "./project-series.ts";
import { version } from "../process/version.ts";

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Buckets of counts: rows of a statement, policies of a question. */
export const countBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

/**
 * Metrics of one process, in a registry of its own. No label ever holds a gid, a subject or a text of a caller, but for
 * `project`, which those named `ikg_project_*` have for a bounded number of projects. Names, help texts and labels are
 * literals at the call: docs/metrics.md is read from the sources, which a test enforces.
 */
export interface Metrics {
  readonly registry: Registry;
  observeRequest(operation: string, method: string, status: number, ms: number): void;
  /** Counts the lookups in a cache. */
  lookups(cache: string): (hit: boolean) => void;
  /** Counts what is refused because of a limit, by the limit's name. */
  refusals(): (limit: string) => void;
  /** Which projects have series of their own. */
  readonly projects: ProjectSeries;
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  /** @param collect called at every scrape; must not wait and must not fail. */
  gauge(name: string, help: string, labels?: readonly string[], collect?: (gauge: Gauge) => void): Gauge;
  /** Of durations in seconds, unless it has buckets of its own. */
  histogram(name: string, help: string, labels?: readonly string[], buckets?: readonly number[]): Histogram;
}

/** @param maxProjects projects that have series of their own at most. */
export const openMetrics = (service: string, maxProjects: number): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const registers = [registry];
  const counter: Metrics["counter"] = (name, help, labels = []) =>
    new Counter({ name, help, labelNames: [...labels], registers });
  const gauge: Metrics["gauge"] = (name, help, labels = [], collect = () => undefined) =>
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      collect() {
        collect(this);
      },
    });
  const histogram: Metrics["histogram"] = (name, help, labels = [], buckets = seconds) =>
    new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });

  const requests = histogram("ikg_request_duration_seconds", "Duration of answered requests.", [
    "operation",
    "method",
    "status",
  ]);
  gauge("ikg_build_info", "1; its labels say which build runs.", ["version", "node"]).set(
    { version, node: process.version },
    1,
  );
  let lookups: Counter | undefined;
  let refused: Counter | undefined;
  return {
    registry,
    observeRequest: (operation, method, status, ms) =>
      requests.observe({ operation, method, status }, ms / 1000),
    lookups: (cache) => {
      const all = (lookups ??= counter("ikg_cache_lookups_total", "Lookups in a cache, by result.", [
        "cache",
        "result",
      ]));
      return (hit) => all.inc({ cache, result: hit ? "hit" : "miss" });
    },
    refusals: () => {
      const all = (refused ??= counter(
        "ikg_limit_refusals_total",
        "Connections and requests that were refused because of a limit, by the limit.",
        ["limit"],
      ));
      return (limit) => all.inc({ limit });
    },
    projects: openProjectSeries(maxProjects),
    counter,
    gauge,
    histogram,
  };
};
