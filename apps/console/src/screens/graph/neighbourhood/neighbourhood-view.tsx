import type { DataSchema } from "@ikg/client";
import { useMemo, useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { displayText } from "../../../text/display-text.ts";
import { countText } from "../../../text/count-text.ts";
import { LookCopies } from "../copy/look-copies.tsx";
import type { NamedNode } from "../node-link.tsx";
import { FilterBar } from "./filter-bar.tsx";
import {
  elementCount,
  type Expansion,
  type Neighbourhood,
  neighbourhoodOf,
  nodeKey,
  nodeTypes,
  relationshipTypes,
  withoutTypes,
} from "./neighbourhood.ts";
import { NeighbourhoodExplorer } from "./neighbourhood-explorer.tsx";
import type { Filters } from "./neighbourhood-store.ts";
import { RelationshipTable } from "./relationship-table.tsx";
import { MoreNeighbours } from "./selected-node.tsx";
import { useNeighbourhood } from "./use-neighbourhood.ts";

/** More than this are not drawn: neither could a person read it, nor a browser move it. */
export const maxDrawn = 2_000;

interface NeighbourhoodViewProps {
  readonly projectId: string;
  readonly root: NamedNode;
  readonly schema: DataSchema | null | undefined;
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
}

const none: ReadonlySet<string> = new Set();

/** Relationship types that can be chosen: those of the types that are there, and those that are. */
const choices = (
  schema: DataSchema | null | undefined,
  types: ReadonlyMap<string, number>,
  seen: readonly string[],
  chosen: readonly string[],
): readonly string[] => {
  const possible = (schema?.graph.edges ?? [])
    .filter(({ source, target }) => types.has(source) || types.has(target))
    .map(({ relation }) => relation);
  return [...new Set([...possible, ...seen, ...chosen])].sort();
};

/** A node with its neighbours, drawn or as a table. */
export const NeighbourhoodView = (props: NeighbourhoodViewProps) => {
  const { projectId, root, schema, filters, onFilters, isTable } = props;
  const { store, expansions } = useNeighbourhood(projectId, root, filters);
  const [hidden, setHidden] = useState(none);
  const [selectedKey, setSelected] = useState(nodeKey(root));
  const all = useMemo(() => neighbourhoodOf(root, expansions), [root, expansions]);
  const shown = useMemo(() => withoutTypes(all, hidden), [all, hidden]);
  const types = useMemo(() => nodeTypes(all), [all]);
  const isTooLarge = elementCount(shown) > maxDrawn;
  const list = [...expansions.values()];
  const isLoading = list.length === 0 || list.some(({ status }) => status === "loading");
  return (
    <section className="stack" aria-labelledby="neighbours">
      <NeighbourhoodHead {...props} shown={shown} isLoading={isLoading} />
      <FilterBar
        filters={filters}
        onFilters={onFilters}
        relationshipTypes={choices(schema, types, relationshipTypes(all), filters.types)}
        nodeTypes={types}
        hiddenTypes={hidden}
        onHiddenTypes={setHidden}
      />
      <LoadFailure expansions={list} onRetry={() => store.retryFailed()} />
      {isTooLarge && !isTable && <TooLargeNote shown={shown} />}
      {shown.relationships.length === 0 ? (
        <NoNeighbours isLoading={isLoading} expansions={list} isFiltered={isFiltered(filters, hidden)} />
      ) : isTable || isTooLarge ? (
        <RelationshipTable shown={shown} expansions={expansions} onExpand={store.expand} />
      ) : (
        <NeighbourhoodExplorer
          root={root}
          shown={shown}
          expansions={expansions}
          store={store}
          selectedKey={selectedKey}
          onSelect={setSelected}
        />
      )}
      <MoreNeighbours expansions={list} store={store} />
    </section>
  );
};

interface NeighbourhoodHeadProps extends Pick<
  NeighbourhoodViewProps,
  "projectId" | "root" | "filters" | "isTable" | "onTable"
> {
  readonly shown: Neighbourhood;
  readonly isLoading: boolean;
}

/** How much there is, the choice between drawing and table, and the copies. */
const NeighbourhoodHead = (props: NeighbourhoodHeadProps) => {
  const { projectId, root, filters, isTable, onTable, shown, isLoading } = props;
  return (
    <div className="list-head">
      <div>
        <h2 id="neighbours">Neighbours</h2>
        <p className="hint" role="status">
          {isLoading
            ? "Reading…"
            : `${countText(shown.nodes.size, "node")}, ${countText(shown.relationships.length, "relationship")}`}
        </p>
      </div>
      <div className="row">
        <div className="switch" role="group" aria-label="Show as">
          <button type="button" aria-pressed={!isTable} onClick={() => onTable(false)}>
            Drawing
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => onTable(true)}>
            Table
          </button>
        </div>
        <LookCopies
          look={{ kind: "neighbours", type: root.type, id: root.external_id, ...filters }}
          projectId={projectId}
          label="Copy the neighbours"
        />
      </div>
    </div>
  );
};

/** Why the table is shown in place of the drawing. */
const TooLargeNote = ({ shown }: { readonly shown: Neighbourhood }) => (
  <Note tone="info">
    <p>
      {elementCount(shown).toLocaleString()} nodes and relationships are more than the{" "}
      {maxDrawn.toLocaleString()} that are drawn, so this is the table. Filter by relationship or type to draw
      a part.
    </p>
  </Note>
);

const isFiltered = ({ direction, types }: Filters, hidden: ReadonlySet<string>): boolean =>
  direction !== undefined || types.length > 0 || hidden.size > 0;

interface LoadFailureProps {
  readonly expansions: readonly Expansion[];
  readonly onRetry: () => void;
}

/** Which neighbours are missing in what is shown. */
const LoadFailure = ({ expansions, onRetry }: LoadFailureProps) => {
  const failed = expansions.filter(({ status }) => status === "failed");
  const [first] = failed;
  if (first === undefined) return null;
  const names = failed.map(({ node }) => displayText(node.external_id, 40)).join(", ");
  return (
    <ErrorNote
      error={first.error}
      title={`Could not load the neighbours of ${displayText(names, 120)}: some are missing here`}
      onRetry={onRetry}
    />
  );
};

interface NoNeighboursProps {
  readonly isLoading: boolean;
  readonly expansions: readonly Expansion[];
  readonly isFiltered: boolean;
}

const NoNeighbours = ({ isLoading, expansions, isFiltered }: NoNeighboursProps) => {
  if (isLoading) return <Loading what="the neighbours" />;
  if (expansions.some(({ status }) => status === "failed")) return null;
  return (
    <Empty title={isFiltered ? "No neighbours with these filters" : "It has no neighbours"}>
      <p>
        {isFiltered ? (
          "Choose all relationships and both directions to see every neighbour."
        ) : (
          <>
            No relationship leaves it or ends at it. Applications write them at{" "}
            <PlainText text="/capture/v1/relationships" mono />.
          </>
        )}
      </p>
    </Empty>
  );
};
