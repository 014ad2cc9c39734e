import { MappingFileFault, readMapping } from "@ikg/imports/browser";
import type { Sections } from "../work/import-work.ts";

export type MappingDiagnostics = MappingFileFault["faults"];

/** The sections of a mapping file, or every error of an invalid one. */
export const readSections = (
  text: string,
): { readonly sections: Sections } | { readonly faults: MappingDiagnostics } => {
  try {
    return { sections: readMapping("map.yaml", text).value.files };
  } catch (error) {
    if (error instanceof MappingFileFault) return { faults: error.faults };
    throw error;
  }
};
