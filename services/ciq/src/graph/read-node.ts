import { setFields, type WholeNode } from "@ikg/contracts";
import { type Look, type NodeName, nodeNotFound, placeNode, readRows } from "./look.ts";
import { fieldsOf, nodeProperties, summaryOf, trustScoreOf } from "./shown-fields.ts";
import { nodeText } from "./statements.ts";

/**
 * Everything of a node. One of a location is read there: the default database has what finds it, and no properties.
 *
 * @throws Problem `not_found` (404) for a node that is not there, or no longer; as `Database.read`.
 */
export const readNode = async (look: Look, name: NodeName): Promise<WholeNode> => {
  const { pk } = look.project;
  const { key, databases } = await placeNode(look, name);
  const rows = await Promise.all(
    databases.map((database) => readRows(look, database, nodeText(pk), { key })),
  );
  const [proxy, stored = proxy] = rows.map((found) => found?.[0]);
  if (proxy === undefined || stored === undefined) throw nodeNotFound();
  const fields = fieldsOf(stored["p"]);
  const { location } = summaryOf(proxy["l"], fieldsOf(proxy["p"]), pk);
  return setFields({
    ...summaryOf(stored["l"], fields, pk),
    location,
    properties: nodeProperties(fields, look.shown),
    trust_score: trustScoreOf(stored["s"]),
  });
};
