import { unifiedDiff } from "../output/unified-diff.ts";
import type { Style } from "../output/style.ts";
import type { Difference, Differences } from "./difference.ts";
import { folders, projectFile } from "./project-files.ts";
import { yamlText } from "./yaml-text.ts";

const fileOf = ({ collection, name }: Difference): string =>
  collection in folders
    ? `${folders[collection as keyof typeof folders].folder}/${name}.yaml`
    : `${projectFile}: ${collection}.${name}`;

const emptyFile = "/dev/null";

/** The differences in the format of `diff -u`. */
export const differenceText = async ({ texts, others }: Differences, style: Style): Promise<string> => {
  const parts = [...texts, ...others].map(async (difference) => {
    const { before, after } = difference;
    const file = fileOf(difference);
    return unifiedDiff(
      {
        from: before === undefined ? emptyFile : file,
        to: after === undefined ? emptyFile : file,
        before: before === undefined ? "" : await yamlText(before),
        after: after === undefined ? "" : await yamlText(after),
      },
      style,
    );
  });
  return (await Promise.all(parts)).join("");
};

/** The numbers of created, changed and deleted records. */
export const countsOf = ({ texts, others }: Differences) => {
  const all: readonly Difference[] = [...texts, ...others];
  const created = all.filter(({ before }) => before === undefined).length;
  const deleted = all.filter(({ after }) => after === undefined).length;
  return { created, changed: all.length - created - deleted, deleted };
};

/** The same as a plan. */
export const planText = (differences: Differences): string => {
  const { created, changed, deleted } = countsOf(differences);
  return `${created} to create, ${changed} to change, ${deleted} to delete.`;
};
