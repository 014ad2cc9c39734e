import { MappingFileFault, readMapping } from "@ikg/imports/browser";
import type { Sections } from "../work/import-work.ts";

/** An error of a mapping, with its place. */
export interface TextFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The sections of a mapping file, or every error of an invalid one. */
export const readSections = (
  text: string,
): { readonly sections: Sections } | { readonly faults: readonly TextFault[] } => {
  try {
    return { sections: readMapping("map.yaml", text).value.files };
  } catch (error) {
    if (error instanceof MappingFileFault) return { faults: error.faults };
    throw error;
  }
};
