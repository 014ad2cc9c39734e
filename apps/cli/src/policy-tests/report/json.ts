import { countsOf, exitCodeOf, type Reporter } from "./report.ts";

/** The complete report as JSON. */
export const json: Reporter = (report) =>
  `${JSON.stringify(
    {
      exit_code: exitCodeOf(report),
      ...countsOf(report.files),
      milliseconds: report.milliseconds,
      files: report.files.map(({ file, name, milliseconds, faults, problem, warnings, tests }) => ({
        file,
        name,
        milliseconds,
        faults,
        ...(problem === undefined ? {} : { problem }),
        warnings,
        tests: tests.map(({ place: { line, column }, expected, actual, why, ...test }) => ({
          ...test,
          line,
          column,
          ...(test.status === "passed" ? {} : { expected, actual, explanation: why }),
        })),
      })),
      ...(report.coverage === undefined ? {} : { coverage: report.coverage }),
      ...(report.threshold === undefined ? {} : { coverage_threshold: report.threshold }),
    },
    null,
    2,
  )}\n`;
