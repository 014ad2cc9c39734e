import {
  type FileMapping,
  matchesPattern,
  mappingFileText,
  type ProfileOptions,
  type TableFile,
} from "@ikg/imports/browser";
import type { ChosenFile, Sections } from "./import-work.ts";

/** The section for a file: the first whose pattern matches its name, as `ikg import` finds it. */
export const sectionNameOf = (sections: Sections, file: string): string | undefined =>
  Object.keys(sections).find((pattern) => matchesPattern(pattern, file));

export const sectionOf = (sections: Sections, file: string): FileMapping | undefined => {
  const name = sectionNameOf(sections, file);
  return name === undefined ? undefined : sections[name];
};

/** The sections with another one for a file. */
export const withSection = (sections: Sections, file: string, section: FileMapping): Sections => ({
  ...sections,
  [sectionNameOf(sections, file) ?? file]: section,
});

/** Whether a section says what rows become. */
export const saysRows = (section: FileMapping | undefined): boolean =>
  section?.nodes !== undefined || section?.relationships !== undefined;

/** How a section reads its files; the delimiter is found out where the section says nothing of the rows. */
export const readOptionsOf = (section: FileMapping | undefined, { format }: TableFile): ProfileOptions => {
  const { columns, delimiter, quote, encoding } = section ?? {};
  const standard = format === "csv" && saysRows(section) ? "," : undefined;
  return { columns, delimiter: delimiter ?? standard, quote, encoding };
};

/** Undefined where there is no section: then every file has to hold lines of an import. */
export const mappingTextOf = (sections: Sections): string | undefined =>
  Object.keys(sections).length === 0 ? undefined : mappingFileText({ files: { ...sections } });

/** Whether a file holds lines of an import already, which need no mapping. */
export const holdsLines = ({ table, profileState }: ChosenFile): boolean =>
  table.format === "ndjson" &&
  profileState.status === "read" &&
  profileState.profile.columns.some(({ name }) => name === "node" || name === "relationship") &&
  profileState.profile.columns.every(({ name }) => ["node", "relationship", "complete"].includes(name));
