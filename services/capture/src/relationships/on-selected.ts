import type { CaptureResults, DeleteRelationshipsRequest, Gid } from "@ikg/contracts";
import type { Params, Row, Transaction } from "@ikg/graph";
import type { CaptureParts } from "../batches/verb.ts";
import { relationshipConstituent } from "../projects/constituent.ts";
import { writeByDatabase } from "../batches/write-by-database.ts";
import { activeProject } from "../projects/projects.ts";
import { refuse, relationshipsRefusals } from "../batches/refusals.ts";
import { resultsOf, sortedRows } from "../batches/rows.ts";
import type { Request } from "../batches/transaction.ts";
import { byType } from "./by-type.ts";
import { foundGid, type Item, type RelationshipSelector, selectorsOf } from "./relationship-selector.ts";

/** Runs a statement on the relationships that items select: one for each type, or one for all types if there are many. */
export const onSelected = async (
  { graph, projects }: CaptureParts,
  projectId: Gid,
  body: DeleteRelationshipsRequest,
  statement: {
    readonly text: (type: string | undefined) => string;
    readonly more?: (selector: RelationshipSelector) => Params;
    readonly params?: Params;
  },
  request: Request,
): Promise<CaptureResults> => {
  const project = await activeProject(projects, projectId);
  refuse(relationshipsRefusals(body, project));
  const onGroup = async (
    tx: Transaction,
    type: string | undefined,
    selectors: readonly RelationshipSelector[],
  ): Promise<[number, Row][]> => {
    const rows = sortedRows(selectors.map((selector) => ({ k: selector.sortKey, selector })));
    // Short names: each is sent with every row.
    const sent = rows.map(({ i, selector }) => ({
      i,
      t: selector.type,
      a: selector.sourceKey,
      b: selector.targetKey,
      d: selector.discriminator,
      ...statement.more?.(selector),
    }));
    const results = await tx.run(statement.text(type), { rows: sent, ...statement.params });
    return results.flatMap((result): [number, Row][] => {
      const at = rows[Number(result["i"])]?.selector.at;
      return at === undefined ? [] : [[at, result]];
    });
  };
  return resultsOf(
    await writeByDatabase<Item, string>(graph, project, request, {
      items: body.relationships,
      constituentOf: relationshipConstituent(project, body.use_global_db),
      work: async (tx, indexed) => {
        const groups = byType(selectorsOf(indexed, project.pk));
        const found = await Promise.all(groups.map(([type, selectors]) => onGroup(tx, type, selectors)));
        const rowOf = new Map(found.flat());
        return indexed.map(({ item, at }) => {
          const row = rowOf.get(at);
          return row === undefined ? "" : foundGid(projectId, item, row);
        });
      },
    }),
  );
};
