import { tlsFault } from "@ikg/tls";
import type { Logger } from "../logs/log.ts";
import { repeatedReport } from "../logs/repeated-report.ts";

/** Logs in one line why connections to a service are not made, where TLS is the reason. */
export const upstreamTlsReport = (
  upstream: string,
  log: Pick<Logger, "error">,
): ((error: unknown) => void) => {
  const report = repeatedReport();
  return (error) => {
    const fault = tlsFault(error);
    if (fault === undefined) return;
    const settings = `INTERNAL_TLS_* and UPSTREAM_${upstream.toUpperCase()}`;
    report((failed) =>
      log.error(`no TLS connection to ${upstream}: ${fault}; see ${settings}`, { upstream, failed }),
    );
  };
};
