/** Figures with their baselines and marks, as the tables of the measurements show them. */
import { markdownTable } from "./table.ts";

export interface Line {
  readonly what: string;
  readonly figure: string;
  /** the figure as a multiple of the baseline's */
  readonly ratio: string;
  /** empty where nothing is asked */
  readonly mark: string;
  /** what stands beside it */
  readonly baseline: string;
  /** undefined where there is no mark */
  readonly holds: boolean | undefined;
}

export const msText = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const ratioText = (value: number): string => `${value.toFixed(2)} x`;
export const countText = (value: number): string => Math.round(value).toLocaleString("en-US");
export const perSecondText = (value: number): string => `${countText(value)}/s`;

/** A mark that a ratio has to reach. */
export const atLeast = (ratio: number, mark: number): Pick<Line, "ratio" | "mark" | "holds"> => ({
  ratio: ratioText(ratio),
  mark: `at least ${ratioText(mark)}`,
  holds: ratio >= mark,
});

/** A mark that a ratio may not exceed. */
export const atMost = (ratio: number, mark: number): Pick<Line, "ratio" | "mark" | "holds"> => ({
  ratio: ratioText(ratio),
  mark: `at most ${ratioText(mark)}`,
  holds: ratio <= mark,
});

/** A ratio that is only reported. */
export const reported = (ratio: number): Pick<Line, "ratio" | "mark" | "holds"> => ({
  ratio: ratioText(ratio),
  mark: "",
  holds: undefined,
});

export const marksTable = (lines: readonly Line[]): string[] =>
  markdownTable(
    [
      { title: "what", align: "left" },
      { title: "figure", align: "right" },
      { title: "/ baseline", align: "right" },
      { title: "mark", align: "right" },
      { title: "mark holds", align: "left" },
      { title: "beside it", align: "left" },
    ],
    lines.map(({ what, figure, ratio, mark, holds, baseline }) => [
      what,
      figure,
      ratio,
      mark,
      holds === undefined ? "" : holds ? "yes" : "no",
      baseline,
    ]),
  );

export const allHold = (lines: readonly Line[]): boolean => lines.every(({ holds }) => holds !== false);
