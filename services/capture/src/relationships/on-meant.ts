import type { CaptureResults, DeleteRelationshipsRequest, Gid } from "@ikg/contracts";
import type { Params } from "@ikg/graph";
import type { CaptureParts } from "../capture.ts";
import { activeProject } from "../projects.ts";
import { refuse, relationshipsRefusals } from "../refusals.ts";
import { resultsOf, sortedRows } from "../rows.ts";
import { inOneTransaction, type Request } from "../transaction.ts";
import { foundGid, type Meant, meantBy } from "./meant.ts";

/** Does something to the relationships that items mean, those of one type by one statement. */
export const onMeant = async (
  { graph, projects }: CaptureParts,
  projectId: Gid,
  body: DeleteRelationshipsRequest,
  statement: {
    readonly text: (type: string) => string;
    readonly more?: (row: Meant) => Params;
    readonly params?: Params;
  },
  request: Request,
): Promise<CaptureResults> => {
  const project = await activeProject(projects, projectId);
  refuse(relationshipsRefusals(body));
  const items = body.relationships;
  const byType = [...Map.groupBy(meantBy(items, project.pk), ({ type }) => type)].map(([type, meant]) => ({
    type,
    rows: sortedRows(meant),
  }));
  const found = await inOneTransaction(graph, project, request, (tx) =>
    Promise.all(
      byType.map(async ({ type, rows }) => {
        const sent = rows.map(({ i, a, b, d, ...row }) => ({
          i,
          a,
          b,
          d,
          ...statement.more?.({ a, b, d, ...row }),
        }));
        const answered = await tx.run(statement.text(type), { rows: sent, ...statement.params });
        return answered.flatMap((answer) => {
          const at = rows[Number(answer["i"])]?.at;
          return at === undefined ? [] : [[at, answer] as const];
        });
      }),
    ),
  );
  const rowOf = new Map(found.flat());
  return resultsOf(
    items.map((item, at) => {
      const row = rowOf.get(at);
      return row && foundGid(projectId, item, row);
    }),
  );
};
