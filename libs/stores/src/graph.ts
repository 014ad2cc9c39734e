import { guardedAddress } from "@ikg/egress";
import { connectGraph, type Graph, graphReadyCheck, type StatementClass } from "@ikg/graph";
import {
  type BaseSettings,
  databaseHosts,
  graphSettings,
  type OwnDatabaseSettings,
  type Service,
} from "@ikg/service";
import type { z } from "zod";

type GraphSettings = BaseSettings & z.output<typeof OwnDatabaseSettings>;

/**
 * Connects a service to the graph. The service is ready while the database answers; a service that writes also waits for the
 * constraints.
 *
 * @param statementClass class of the statements that name none.
 */
export const openServiceGraph = (
  service: Service,
  settings: GraphSettings,
  { statementClass, writes = false }: { statementClass?: StatementClass; writes?: boolean } = {},
): Graph => {
  const graph = connectGraph(
    graphSettings(settings, statementClass),
    service,
    guardedAddress(databaseHosts(settings)),
  );
  service.onReadyCheck("neo4j", writes ? graphReadyCheck(graph, service.log) : () => graph.ready());
  service.onClose("neo4j", () => graph.close());
  return graph;
};
