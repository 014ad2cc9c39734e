import { browserFile, plainName } from "@ikg/imports/browser";
import type { ChosenFile, ImportWork } from "../work/import-work.ts";

/** Adds files, or says why one is refused. A file of the same name replaces the previous one. */
export const withFiles = (
  work: ImportWork,
  files: readonly File[],
): { readonly work: ImportWork; readonly refused: readonly string[] } => {
  const refused: string[] = [];
  const chosen = new Map(work.files.map((file) => [file.name, file]));
  for (const file of files)
    try {
      const table = browserFile(file);
      const name = plainName(file.name);
      const entry: ChosenFile = {
        name,
        size: file.size,
        table: { ...table, name },
        profileState: { status: "reading" },
        readAs: undefined,
      };
      chosen.set(name, entry);
    } catch (error) {
      refused.push((error as Error).message);
    }
  return { work: { ...work, files: [...chosen.values()] }, refused };
};

/** Without a file, and without the section that was for it alone. */
export const withoutFile = ({ files, sections, text }: ImportWork, name: string): ImportWork => {
  const { [name]: _section, ...rest } = sections;
  const left = files.filter((file) => file.name !== name);
  return { files: left, sections: rest, text: left.length === 0 ? undefined : text };
};
