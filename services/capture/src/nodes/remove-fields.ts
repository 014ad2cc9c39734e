import type { CaptureResults, Gid, NodeRef } from "@ikg/contracts";
import { nodeKey } from "@ikg/physical";
import type { CaptureParts } from "../batches/verb.ts";
import { constituentOf } from "../projects/constituent.ts";
import { writeByDatabase } from "../batches/write-by-database.ts";
import { activeProject } from "../projects/projects.ts";
import { nodesRefusals, refuse } from "../batches/refusals.ts";
import { resultsOf, sortedRows } from "../batches/rows.ts";
import type { Request } from "../batches/transaction.ts";
import { removeFieldsText } from "./statements.ts";

/** Physical fields of a node that have to go. */
export interface Fields {
  readonly exact: readonly string[];
  /** Prefixes of others, but for those to keep. */
  readonly below: readonly string[];
  readonly keep: readonly string[];
}

/** Removes from each node the fields that its item names; a missing field is no error. */
export const removeFields = async <Item extends NodeRef>(
  { graph, projects, now }: CaptureParts,
  projectId: Gid,
  items: readonly Item[],
  fieldsOf: (item: Item) => Fields,
  request: Request,
): Promise<CaptureResults> => {
  const project = await activeProject(projects, projectId);
  refuse(nodesRefusals(items, project));
  return resultsOf(
    await writeByDatabase<Item, string>(graph, project, request, {
      items,
      constituentOf: ({ location }) => constituentOf(project, location),
      work: async (tx, indexed) => {
        const rows = sortedRows(
          indexed.map(({ item, at }) => ({
            at,
            k: nodeKey(project.pk, item.type, item.external_id),
            ...fieldsOf(item),
          })),
        );
        const found = await tx.run(removeFieldsText, { rows, now: now().toISOString() });
        const ids = new Map(found.map((row) => [rows[Number(row["i"])]?.at, String(row["id"])]));
        return indexed.map(({ at }) => ids.get(at) ?? "");
      },
    }),
  );
};
