import { PlainText } from "../../../components/plain-text.tsx";
import { countText } from "../../../text/count-text.ts";
import { NodeLink } from "../node-link.tsx";
import { type Expansion, type GraphNode, type Neighbourhood, nodeKey } from "./neighbourhood.ts";
import type { NeighbourhoodStore } from "./neighbourhood-store.ts";

interface SelectedNodeProps {
  readonly node: GraphNode;
  readonly expansion: Expansion | undefined;
  readonly shown: Neighbourhood;
  readonly store: NeighbourhoodStore;
}

/** How the selected node is related, as a sentence. */
const relationText = (node: GraphNode, { relationships }: Neighbourhood): string => {
  const own = relationships.filter(({ source, target }) => source === node.key || target === node.key).length;
  return `${countText(own, "relationship")} here`;
};

/** The node that is selected in the drawing, and what can be done with it. */
export const SelectedNode = ({ node, expansion, shown, store }: SelectedNodeProps) => (
  <div className="selected-node">
    <p role="status" aria-live="polite">
      <span className="visually-hidden">Selected: </span>
      <NodeLink node={node} withType />
      <span className="hint"> {relationText(node, shown)}</span>
    </p>
    <div className="row">
      {expansion === undefined && (
        <button type="button" className="button small" onClick={() => store.expand(node)}>
          Expand
        </button>
      )}
      {expansion !== undefined && node.anchor !== undefined && (
        <button type="button" className="button small" onClick={() => store.collapse(node)}>
          Collapse
        </button>
      )}
    </div>
  </div>
);

interface UnreadProps {
  readonly expansions: readonly Expansion[];
  readonly store: NeighbourhoodStore;
}

/** Nodes that have more neighbours than were read. */
export const MoreNeighbours = ({ expansions, store }: UnreadProps) => {
  const unread = expansions.filter(({ status, cursor }) => status === "ready" && cursor !== undefined);
  if (unread.length === 0) return null;
  return (
    <ul className="more-neighbours">
      {unread.map(({ node, neighbours }) => (
        <li key={nodeKey(node)}>
          <span>
            <PlainText text={node.external_id} limit={60} mono /> has more than the{" "}
            {neighbours.length.toLocaleString()} relationships that are shown.
          </span>
          <button type="button" className="button small" onClick={() => store.more(node)}>
            Show 500 more
          </button>
        </li>
      ))}
    </ul>
  );
};
