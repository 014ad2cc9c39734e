import { hasWords } from "../../../text/has-words.ts";
import { type DecisionsSearch, defaultKind, type TimeRange } from "../decisions-search.ts";
import { actorOf, onBehalfOf } from "./actor.ts";
import type { Names } from "./names.ts";
import type { RecordedNode, RecordRow } from "./record-row.ts";

const nodeText = (node: RecordedNode | undefined): string =>
  node === undefined ? "" : `${node.type} ${node.id} ${node.type}/${node.id}`;

const actorText = ({ record }: RecordRow, { actors }: Names): string => {
  const { type, id, name = "", kid = "", issuer = "" } = actorOf(record);
  return [type, id, name, kid, issuer, actors.get(id) ?? "", onBehalfOf(record) ?? ""].join(" ");
};

/** A policy by its whole gid, or by words of its name. */
const isAbout = ({ policies }: RecordRow, policy: string, names: Names): boolean =>
  policies.some((id) => id === policy || hasWords(names.policies.get(id) ?? "", policy));

/** Whether a row is one that an address asks for. */
export const rowMatcher = (
  search: DecisionsSearch,
  { from, to }: TimeRange,
  names: Names,
): ((row: RecordRow) => boolean) => {
  const { kind = defaultKind, decision, subject, action, resource, policy, actor } = search;
  return (row) => {
    const time = Date.parse(row.time);
    return (
      time >= from &&
      time < to &&
      (kind === "all" || row.kind === kind) &&
      (decision === undefined || row.result === decision) &&
      (subject === undefined || hasWords(nodeText(row.subject), subject)) &&
      (action === undefined || hasWords(row.action, action)) &&
      (resource === undefined || hasWords(nodeText(row.resource), resource)) &&
      (policy === undefined || isAbout(row, policy, names)) &&
      (actor === undefined || hasWords(actorText(row, names), actor))
    );
  };
};
