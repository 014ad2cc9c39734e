/** The result of a check. */
export interface Finding {
  readonly check: string;
  readonly result: "ok" | "warning" | "problem";
  readonly detail: string;
  /** Suggested fix. */
  readonly advice?: string | undefined;
}

export const ok = (check: string, detail: string): Finding => ({ check, result: "ok", detail });
export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  result: "warning",
  detail,
  advice,
});
export const problem = (check: string, detail: string, advice: string): Finding => ({
  check,
  result: "problem",
  detail,
  advice,
});
