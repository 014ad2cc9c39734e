import type { Graph } from "../types.ts";

/**
 * Ready check of the graph for a writer: without the constraints two MERGEs of one key could create two nodes, so nothing is
 * written before they exist. Retried after a failure.
 */
export const graphReadyCheck = (
  graph: Pick<Graph, "prepare" | "ready">,
  log: { warn(message: string, fields: object): unknown },
): (() => Promise<boolean>) => {
  let preparing: Promise<boolean> | undefined;
  const prepare = async (): Promise<boolean> => {
    try {
      await graph.prepare();
      return true;
    } catch (error) {
      log.warn("the database is not prepared yet", { error });
      preparing = undefined;
      return false;
    }
  };
  return async () => (await graph.ready()) && (await (preparing ??= prepare()));
};
