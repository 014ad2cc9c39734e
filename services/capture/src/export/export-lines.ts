import type { CompleteLine } from "@ikg/contracts";
import { LinesText } from "@ikg/service";
import type { ProjectKey } from "@ikg/physical";
import { nodePages } from "./node-pages.ts";
import type { PageReader } from "./page-reader.ts";
import { keyRanges } from "./ranges.ts";
import { relationshipLine } from "./relationship-line.ts";
import { relationshipPages } from "./relationship-pages.ts";

/** After this time without lines a blank one is sent, which every reader skips: proxies close silent connections. */
const silentMs = 10_000;

/** Returns a function that joins lines to texts, with a blank line after a long silence. */
const openLineTexts = () => {
  let lastAt = performance.now();
  return (lines: readonly string[]): LinesText => {
    const isSilent = lines.length === 0 && performance.now() - lastAt < silentMs;
    if (!isSilent) lastAt = performance.now();
    return new LinesText(isSilent ? "" : `${lines.join("\n")}\n`);
  };
};

/**
 * The graph of a project as lines of an import. Relationships come first: of a node that is created meanwhile, the export has
 * the node without its relationships. In the other order it could have relationships without the node.
 *
 * @param types undefined for all.
 * @returns pages of lines, then the line that says that these are all.
 */
export async function* exportLines(
  reader: PageReader,
  pk: ProjectKey,
  types: readonly string[] | undefined,
): AsyncGenerator<LinesText | CompleteLine, void, undefined> {
  const ranges = keyRanges(pk, types);
  const isWanted = types === undefined ? () => true : (type: unknown) => types.includes(String(type));
  const textOf = openLineTexts();
  const counts = { nodes: 0, relationships: 0 };
  for (const range of ranges)
    for await (const lines of relationshipPages(reader, pk, range, (row) =>
      isWanted(row["targetType"]) ? relationshipLine(row) : undefined,
    )) {
      counts.relationships += lines.length;
      yield textOf(lines);
    }
  for (const range of ranges)
    for await (const { nodes, lines } of nodePages(reader, pk, range)) {
      counts.nodes += nodes;
      yield textOf(lines);
    }
  yield { complete: counts };
}
