import { useMemo } from "react";
import { NeighbourhoodDrawing } from "../drawing/neighbourhood-drawing.tsx";
import type { NamedNode } from "../node-link.tsx";
import { type Expansions, type Neighbourhood, nodeKey } from "./neighbourhood.ts";
import type { NeighbourhoodStore } from "./neighbourhood-store.ts";
import { SelectedNode } from "./selected-node.tsx";

interface NeighbourhoodExplorerProps {
  readonly root: NamedNode;
  readonly shown: Neighbourhood;
  readonly expansions: Expansions;
  readonly store: NeighbourhoodStore;
  /** Of a node that may be filtered out by now. */
  readonly selectedKey: string;
  readonly onSelect: (key: string) => void;
}

/** The drawing, in which one goes from node to node, and the node that is selected in it. */
export const NeighbourhoodExplorer = (props: NeighbourhoodExplorerProps) => {
  const { root, shown, expansions, store, selectedKey, onSelect } = props;
  const expanded = useMemo(() => new Set(expansions.keys()), [expansions]);
  const selected = shown.nodes.get(selectedKey) ?? shown.nodes.get(nodeKey(root));
  const expand = (key: string): void => {
    const node = shown.nodes.get(key);
    if (node !== undefined) store.expand(node);
  };
  return (
    <>
      <NeighbourhoodDrawing
        label="Drawing of the neighbourhood. Arrow keys go from node to node, Enter expands one. The table has the same."
        shown={shown}
        expanded={expanded}
        selected={selected?.key ?? ""}
        onSelect={onSelect}
        onExpand={expand}
      />
      {selected !== undefined && (
        <SelectedNode node={selected} expansion={expansions.get(selected.key)} shown={shown} store={store} />
      )}
    </>
  );
};
