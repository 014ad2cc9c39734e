/** Figures with their baselines and targets, as the tables of the measurements show them. */
import { markdownTable } from "./table.ts";

export interface Line {
  readonly what: string;
  readonly figure: string;
  /** the figure as a multiple of the baseline's */
  readonly ratio: string;
  /** empty where nothing is asked */
  readonly target: string;
  /** what stands beside it */
  readonly baseline: string;
  /** undefined where there is no target */
  readonly met: boolean | undefined;
}

export const msText = (value: number): string => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const ratioText = (value: number): string => `${value.toFixed(2)} x`;
export const countText = (value: number): string => Math.round(value).toLocaleString("en-US");
export const perSecondText = (value: number): string => `${countText(value)}/s`;

/** A target that a ratio has to reach. */
export const atLeast = (ratio: number, target: number): Pick<Line, "ratio" | "target" | "met"> => ({
  ratio: ratioText(ratio),
  target: `at least ${ratioText(target)}`,
  met: ratio >= target,
});

/** A target that a ratio may not exceed. */
export const atMost = (ratio: number, target: number): Pick<Line, "ratio" | "target" | "met"> => ({
  ratio: ratioText(ratio),
  target: `at most ${ratioText(target)}`,
  met: ratio <= target,
});

/** A ratio that is only reported. */
export const reported = (ratio: number): Pick<Line, "ratio" | "target" | "met"> => ({
  ratio: ratioText(ratio),
  target: "",
  met: undefined,
});

export const targetsTable = (lines: readonly Line[]): string[] =>
  markdownTable(
    [
      { title: "what", align: "left" },
      { title: "figure", align: "right" },
      { title: "/ baseline", align: "right" },
      { title: "target", align: "right" },
      { title: "target met", align: "left" },
      { title: "compared with", align: "left" },
    ],
    lines.map(({ what, figure, ratio, target, met, baseline }) => [
      what,
      figure,
      ratio,
      target,
      met === undefined ? "" : met ? "yes" : "no",
      baseline,
    ]),
  );

export const allMet = (lines: readonly Line[]): boolean => lines.every(({ met }) => met !== false);
