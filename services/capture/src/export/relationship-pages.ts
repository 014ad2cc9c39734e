import type { Row } from "@ikg/graph";
import type { KeyRange, ProjectKey } from "@ikg/physical";
import type { PageReader } from "./page-reader.ts";
import { PageSize } from "./page-size.ts";
import { degreePageText, relationshipPageText } from "./statements.ts";

/** About how many relationships begin at the nodes of one group; a node with more is a group of its own. */
const groupRelationships = 2_000;

/**
 * Keys of nodes with outgoing relationships, in groups with about as many relationships each. A page without such nodes is an
 * empty group: the search is in progress.
 */
async function* keyGroups(
  reader: PageReader,
  pk: ProjectKey,
  { after: first, before }: KeyRange,
): AsyncGenerator<readonly string[]> {
  const size = new PageSize();
  for (let [after, isLast] = [first, false]; !isLast;) {
    const page = await reader.read(degreePageText(pk), size, { after, before });
    size.observe(page.rows.length, page.rows.length * 200);
    let [keys, sum]: [string[], number] = [[], 0];
    for (const { k, degree } of page.rows) {
      after = String(k);
      if (Number(degree) === 0) continue;
      if (keys.length > 0 && sum + Number(degree) > groupRelationships) {
        yield keys;
        [keys, sum] = [[], 0];
      }
      keys.push(after);
      sum += Number(degree);
    }
    yield keys;
    isLast = page.isLast;
  }
}

/** A prefix of texts that are compared; `relationshipPageText` says why. */
const mark = "=";

/** The last relationship of a page, after which the next one begins. */
interface Cursor {
  readonly sourceKey: string;
  readonly type: string;
  readonly targetKey: string;
  readonly discriminator: string;
}

const start: Cursor = { sourceKey: "", type: "", targetKey: "", discriminator: "" };

const cursorAt = ({ a, t, b, d }: Row): Cursor => ({
  sourceKey: String(a),
  type: String(t),
  targetKey: String(b),
  discriminator: String(d),
});

/**
 * Pages of the relationships that begin at the nodes of a range.
 *
 * @param lineOf the text of a row.
 */
export async function* relationshipPages(
  reader: PageReader,
  pk: ProjectKey,
  range: KeyRange,
  lineOf: (row: Row) => string | undefined,
): AsyncGenerator<readonly string[]> {
  const size = new PageSize();
  for await (const group of keyGroups(reader, pk, range)) {
    if (group.length === 0) yield [];
    for (let [cursor, isLast] = [start, group.length === 0]; !isLast;) {
      const { sourceKey, type, targetKey, discriminator } = cursor;
      const keys = sourceKey === "" ? group : group.slice(group.indexOf(sourceKey));
      const after = { t: type, b: targetKey, d: discriminator };
      const page = await reader.read(relationshipPageText(pk), size, { keys, ...after, mark });
      const lines = page.rows.flatMap((row) => lineOf(row) ?? []);
      size.observe(
        page.rows.length,
        lines.reduce((sum, line) => sum + line.length, 0),
      );
      yield lines;
      const last = page.rows.at(-1);
      if (last !== undefined) cursor = cursorAt(last);
      isLast = page.isLast;
    }
  }
}
