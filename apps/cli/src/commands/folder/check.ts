import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "@ikg/sources";
import { checkFiles } from "../../checks/check-files.ts";
import { diagnosticText } from "../../checks/diagnostic-text.ts";
import { annotation } from "../../policy-tests/report/github.ts";
import { numberOf } from "../../policy-tests/report/report.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { formattedFiles } from "../../project-folder/formatted-files.ts";

interface Options {
  readonly github?: true;
  readonly fix?: true;
}

const annotationLine = (kind: "error" | "warning", fault: Diagnostic): string =>
  `${annotation(kind, "ikg check", fault.message, fault)}\n`;

/** `ikg check`: checks files without a suite. */
export const command: CommandModule<[paths: readonly string[]], Options> = {
  description: [
    "Validates the format of policies, queries and policy tests, and compiles them as the suite does; no suite is required. Warnings about probable mistakes do not fail the check. Checks that depend on the project, such as types that its graph does not contain, are made by ikg plan and the suite.",
  ],
  examples: [
    { purpose: "Check a folder of ikg pull", command: "ikg check examples/policy-repo" },
    { purpose: "Annotate a pull request", command: "ikg check examples/policy-repo --github" },
  ],
  exitCodes: { 0: "no errors; warnings are possible", 1: "there are errors" },
  configure: (command) =>
    void command
      .argument("<paths...>", "files and folders")
      .option("--github", "print errors and warnings as GitHub annotations")
      .option(
        "--fix",
        "format policies and queries of folders as ikg pull does, except files with comments, which would be lost",
      ),
  run: async ({ args, options, environment, print }) => {
    const [paths] = args;
    const { cwd } = environment;
    const checked = await checkFiles(paths, cwd);
    const { faults, warnings, files } = checked;
    if (options.fix === true && faults.length === 0)
      for (const { file, text, hasComments } of await formattedFiles(paths, environment)) {
        if (!hasComments) await writeFile(resolve(cwd, file), text);
        environment.error(
          `${file}: ${hasComments ? "not formatted: its comments would be lost" : "formatted"}\n`,
        );
      }
    const lines =
      options.github === true
        ? [
            ...faults.map((fault) => annotationLine("error", fault)),
            ...warnings.map((warning) => annotationLine("warning", warning)),
          ]
        : await Promise.all([
            ...faults.map((fault) => diagnosticText(fault, cwd, print.style)),
            ...warnings.map((warning) => diagnosticText(warning, cwd, print.style, "warning")),
          ]);
    const counts = [
      numberOf(files, "file"),
      numberOf(faults.length, "error"),
      ...(warnings.length === 0 ? [] : [numberOf(warnings.length, "warning")]),
    ];
    await print.text([...lines, `${counts.join(", ")}\n`].join(""), checked);
    return faults.length === 0 ? 0 : 1;
  },
};
