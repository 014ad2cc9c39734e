import { stringify } from "yaml";
import type { ImportMapping } from "./schema.ts";

/** Members that are short stand on one line, as people write them. */
const shortest = 80;

/** A mapping as the text of a file that `ikg import --map` reads. */
export const mappingFileText = ({ files }: Pick<ImportMapping, "files">): string =>
  stringify({ files }, { lineWidth: shortest, flowCollectionPadding: true });
