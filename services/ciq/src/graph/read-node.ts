import { omitUndefined, type WholeNode } from "@ikg/contracts";
import { fieldsOf } from "@ikg/query-rows";
import { type GraphReadContext, type NodeName, nodeNotFound, locateNode, readRows } from "./read-context.ts";
import { nodeProperties, summaryOf, trustScoreOf } from "./shown-fields.ts";
import { nodeText } from "./statements.ts";

/**
 * Everything of a node. A node with a location is read there: the default database has only its proxy, without properties.
 *
 * @throws Problem `not_found` (404) for a node that does not exist, or no longer; as `Database.read`.
 */
export const readNode = async (context: GraphReadContext, name: NodeName): Promise<WholeNode> => {
  const { pk } = context.project;
  const { key, databases } = await locateNode(context, name);
  const rows = await Promise.all(
    databases.map((database) => readRows(context, database, nodeText(pk), { key })),
  );
  const [proxy, stored = proxy] = rows.map((found) => found?.[0]);
  if (proxy === undefined || stored === undefined) throw nodeNotFound();
  const fields = fieldsOf(stored["properties"]);
  const { location } = summaryOf(proxy["labels"], fieldsOf(proxy["properties"]), pk);
  return omitUndefined({
    ...summaryOf(stored["labels"], fields, pk),
    location,
    properties: nodeProperties(fields, context.shown),
    trust_score: trustScoreOf(stored["trustScore"]),
  });
};
