import type { KeyRange, ProjectKey } from "@ikg/physical";
import { nodeLines } from "./node-lines.ts";
import type { PageReader } from "./page-reader.ts";
import { PageSize } from "./page-size.ts";
import { nodePageText } from "./statements.ts";

/** Lines of a page of nodes. */
export interface NodePage {
  readonly nodes: number;
  readonly lines: readonly string[];
}

/** Pages of the nodes of a range, in the order of their keys. */
export async function* nodePages(
  reader: PageReader,
  pk: ProjectKey,
  { after: first, before }: KeyRange,
): AsyncGenerator<NodePage> {
  const size = new PageSize();
  for (let [after, isLast] = [first, false]; !isLast;) {
    const page = await reader.read(nodePageText(pk), size, { after, before });
    const lines = page.rows.flatMap(({ l, p }) =>
      // The columns of the statement: a list of names, and a map.
      nodeLines({ labels: l as readonly string[], fields: p as Record<string, unknown> }, pk),
    );
    size.observe(
      page.rows.length,
      lines.reduce((sum, line) => sum + line.length, 0),
    );
    yield { nodes: page.rows.length, lines };
    const last = page.rows.at(-1)?.["k"];
    if (typeof last === "string") after = last;
    isLast = page.isLast;
  }
}
