import { stringify } from "yaml";
import type { ImportMapping } from "./schema.ts";

/** Objects that fit on a line of this width are written on one line. */
const lineWidth = 80;

/** A mapping as the text of a file that `ikg import --map` reads. */
export const mappingFileText = ({ files }: Pick<ImportMapping, "files">): string =>
  stringify({ files }, { lineWidth, flowCollectionPadding: true });
