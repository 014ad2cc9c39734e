import { setTimeout as pause } from "node:timers/promises";
import { type Gid, Problem } from "@ikg/contracts";
import {
  createResponseBudget,
  type Database,
  type Graph,
  type Params,
  type Row,
  withTimeoutAsUnavailable,
} from "@ikg/graph";
import { graphIdOf } from "../projects/graph-id.ts";
import { activeProject, type Project, type Projects } from "../projects/projects.ts";
import type { Request } from "../batches/transaction.ts";
import type { PageSize } from "./page-size.ts";

/** Limit of one page, waiting for its turn included. */
const timeoutMs = 20_000;
/** Bytes of one page, as they arrive, that are held at most; a single node may have more. */
const maxPageBytes = 16 * 1024 * 1024;
/** Pauses before a page is read again after a temporary failure, in milliseconds. */
const pausesMs = [500, 1_000, 2_000];

class PageTooLarge extends Error {}

/** Reads pages of one export. */
export interface PageReader {
  /**
   * One page, in a read transaction of its own.
   *
   * @param params besides `size`.
   * @returns the rows, and whether they are the last ones.
   * @throws Problem `conflict` (409) when the graph was moved, `unavailable` (503) also for a page that takes too long, and as
   *   `Database.read`.
   */
  read(text: string, size: PageSize, params: Params): Promise<{ rows: readonly Row[]; isLast: boolean }>;
}

const isTemporary = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 503 || error.status === 429);

/** An export is of one graph: that of the project when it began. */
const requireSameGraph = async (projects: Projects, project: Project): Promise<void> => {
  if (graphIdOf(await activeProject(projects, project.id)) !== graphIdOf(project))
    throw new Problem("conflict", { errors: ["project: its graph was moved during the export"] });
};

/** Opens the graph of a project for an export. Its statements are background work: those of other classes go before. */
export const openPageReader = (
  { graph, projects }: { readonly graph: Graph; readonly projects: Projects },
  project: Project & { readonly id: Gid },
  { requestId, signal }: Pick<Request, "requestId" | "signal">,
): PageReader => {
  const database: Database = graph.of(project, undefined, "background");
  const readOnce = async (text: string, size: PageSize, params: Params) => {
    await requireSameGraph(projects, project);
    for (;;) {
      const limit = size.rows;
      const bounds =
        limit === 1
          ? {}
          : {
              responseBudget: createResponseBudget(
                maxPageBytes,
                () => new PageTooLarge("the page is too large"),
              ),
            };
      const options = { timeoutMs, requestId, signal, ...bounds };
      try {
        const rows = await withTimeoutAsUnavailable(() =>
          database.read(text, { ...params, size: limit }, options),
        );
        return { rows, isLast: rows.length < limit };
      } catch (error) {
        if (!(error instanceof PageTooLarge) || !size.shrink()) throw error;
      }
    }
  };
  let hasBegun = false;
  return {
    read: async (text, size, params) => {
      // A failure of the first page is the answer to the request, which its caller may repeat.
      for (const ms of hasBegun ? pausesMs : []) {
        try {
          return await readOnce(text, size, params);
        } catch (error) {
          if (!isTemporary(error)) throw error;
        }
        await pause(ms, undefined, { signal });
      }
      const page = await readOnce(text, size, params);
      hasBegun = true;
      return page;
    },
  };
};
