import type { FileMapping, ProfileOptions, TableFile, TableProfile } from "@ikg/imports/browser";
import { keptDrafts } from "../../../session/drafts.ts";

/** The profile of the first rows of a file, or why it could not be read with the chosen options. */
export type ProfileState =
  | { readonly status: "reading" }
  | { readonly status: "read"; readonly profile: TableProfile; readonly sample: readonly string[] }
  | { readonly status: "failed"; readonly message: string };

/** A file that a person has chosen. */
export interface ChosenFile {
  /** As mappings name it. */
  readonly name: string;
  readonly size: number;
  readonly table: TableFile;
  readonly profileState: ProfileState;
  /** The options of the profile; other options need another profile. */
  readonly readAs: ProfileOptions | undefined;
}

/** Sections of a mapping by the names of their files. */
export type Sections = Readonly<Record<string, FileMapping>>;

/** What a person prepares: files, and what their rows become. */
export interface ImportWork {
  readonly files: readonly ChosenFile[];
  readonly sections: Sections;
  /** The text of the mapping file, where it is edited as such and holds no mapping at the moment. */
  readonly text: string | undefined;
}

export const noWork: ImportWork = { files: [], sections: {}, text: undefined };

/** By project. They stay in the memory of the tab, also while another screen is open. */
export const importWorks = keptDrafts<ImportWork>(({ files }) => files.length > 0);
