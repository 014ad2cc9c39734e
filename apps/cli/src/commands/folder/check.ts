import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Fault } from "@ikg/sources";
import { checkFiles } from "../../checks/check-files.ts";
import { faultText } from "../../checks/fault-text.ts";
import { annotation } from "../../policy-tests/report/github.ts";
import { numberOf } from "../../policy-tests/report/report.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { formattedFiles } from "../../project-folder/formatted-files.ts";

interface Options {
  readonly github?: true;
  readonly fix?: true;
}

const annotationLine = (kind: "error" | "warning", fault: Fault): string =>
  `${annotation(kind, "ikg check", fault.message, fault)}\n`;

/** `ikg check`: files, without a suite. */
export const command: CommandModule<[paths: readonly string[]], Options> = {
  description: [
    "Checks the form of policies, queries and policy tests, and all that the policy language says of them; no suite is needed. Warnings are about what is accepted and may be a mistake: they do not fail the check. What depends on the project, such as types that its graph does not hold, ikg plan and the suite say.",
  ],
  examples: [
    { does: "A folder of ikg pull", command: "ikg check examples/policy-repo" },
    { does: "As annotations of a pull request", command: "ikg check examples/policy-repo --github" },
  ],
  exitCodes: { 0: "nothing is wrong, or warnings alone", 1: "something is wrong" },
  configure: (command) =>
    void command
      .argument("<paths...>", "files, and folders of them")
      .option("--github", "faults as annotations of GitHub")
      .option("--fix", "writes policies and queries of folders as ikg pull does"),
  run: async ({ args, options, around, print }) => {
    const [paths] = args;
    const { cwd } = around;
    const checked = await checkFiles(paths, cwd);
    const { faults, warnings, files } = checked;
    if (options.fix === true && faults.length === 0)
      for (const { file, text } of await formattedFiles(paths, around)) {
        if ((await readFile(resolve(cwd, file), "utf8")) === text) continue;
        await writeFile(resolve(cwd, file), text);
        around.error(`${file}: formatted\n`);
      }
    const lines =
      options.github === true
        ? [
            ...faults.map((fault) => annotationLine("error", fault)),
            ...warnings.map((warning) => annotationLine("warning", warning)),
          ]
        : await Promise.all([
            ...faults.map((fault) => faultText(fault, cwd, print.style)),
            ...warnings.map((warning) => faultText(warning, cwd, print.style, "warning")),
          ]);
    const counts = [
      numberOf(files, "file"),
      numberOf(faults.length, "fault"),
      ...(warnings.length === 0 ? [] : [numberOf(warnings.length, "warning")]),
    ];
    await print.text([...lines, `${counts.join(", ")}\n`].join(""), checked);
    return faults.length === 0 ? 0 : 1;
  },
};
