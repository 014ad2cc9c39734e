import type { CompleteLine } from "@ikg/contracts";
import type { LinesText, Service } from "@ikg/service";

export type ExportPages = AsyncGenerator<LinesText | CompleteLine, void, undefined>;

/** Counts exports. */
export interface ExportMetrics {
  /** The same pages; the export is counted when it ends. */
  observe(pages: ExportPages): ExportPages;
}

/** Registers the metrics of exports with those of the process. */
export const openExportMetrics = (metrics: Pick<Service["metrics"], "counter">): ExportMetrics => {
  const exports = metrics.counter(
    "ikg_exports_total",
    "Exports of graphs by outcome: complete, or cut off by a failure or by their reader.",
    ["outcome"],
  );
  const characters = metrics.counter("ikg_export_characters_total", "Characters of lines that exports sent.");
  return {
    observe: async function* (pages) {
      let outcome = "cut_off";
      try {
        for await (const page of pages) {
          if ("text" in page) characters.inc(page.text.length);
          else outcome = "complete";
          yield page;
        }
      } finally {
        exports.inc({ outcome });
      }
    },
  };
};
