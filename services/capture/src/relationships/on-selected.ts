import type { CaptureResults, DeleteRelationshipsRequest, Gid } from "@ikg/contracts";
import type { Params, Row, Transaction } from "@ikg/graph";
import type { CaptureParts } from "../capture.ts";
import { relationshipConstituent } from "../locations/constituent.ts";
import { inPlaces } from "../locations/in-places.ts";
import { activeProject } from "../projects.ts";
import { refuse, relationshipsRefusals } from "../refusals.ts";
import { resultsOf, sortedRows } from "../rows.ts";
import type { Request } from "../transaction.ts";
import { byType } from "./by-type.ts";
import { foundGid, type Item, type RelationshipSelector, selectorsOf } from "./relationship-selector.ts";

/** Does something to the relationships that items mean, those of one type, or all of many types, by one statement. */
export const onSelected = async (
  { graph, projects }: CaptureParts,
  projectId: Gid,
  body: DeleteRelationshipsRequest,
  statement: {
    readonly text: (type: string | undefined) => string;
    readonly more?: (row: RelationshipSelector) => Params;
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
    const rows = sortedRows(selectors);
    const sent = rows.map(({ i, a, b, d, ...row }) => ({
      i,
      t: row.type,
      a,
      b,
      d,
      ...statement.more?.({ a, b, d, ...row }),
    }));
    const answered = await tx.run(statement.text(type), { rows: sent, ...statement.params });
    return answered.flatMap((answer): [number, Row][] => {
      const at = rows[Number(answer["i"])]?.at;
      return at === undefined ? [] : [[at, answer]];
    });
  };
  return resultsOf(
    await inPlaces<Item, string>(graph, project, request, {
      items: body.relationships,
      constituentOf: relationshipConstituent(project, body.use_global_db),
      work: async (tx, placed) => {
        const groups = byType(selectorsOf(placed, project.pk));
        const found = await Promise.all(groups.map(([type, selectors]) => onGroup(tx, type, selectors)));
        const rowOf = new Map(found.flat());
        return placed.map(({ item, at }) => {
          const row = rowOf.get(at);
          return row === undefined ? "" : foundGid(projectId, item, row);
        });
      },
    }),
  );
};
