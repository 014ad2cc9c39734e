import type { NodeSummary } from "@ikg/client";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { countText } from "../../../parts/count-text.ts";
import { PlainText } from "../../../parts/plain-text.tsx";
import { LookCopies } from "../copy/look-copies.tsx";
import { GraphScreen } from "../graph-screen.tsx";
import { type NodesSearch, nodesSearch } from "../graph-search.ts";
import { NodeLink } from "../node-link.tsx";
import { TypeMark } from "../type-mark.tsx";
import { useSchema } from "../../../parts/use-schema.ts";
import { EmptyGraph } from "./empty-graph.tsx";
import { FindForm } from "./find-form.tsx";
import { useNodes } from "./use-nodes.ts";

const keyOf = ({ type, external_id }: NodeSummary): string => JSON.stringify([type, external_id]);

const columns: readonly Column<NodeSummary>[] = [
  {
    id: "type",
    header: "Type",
    cell: ({ type }) => (
      <span className="node-link type-name">
        <TypeMark type={type} />
        <PlainText text={type} limit={40} />
      </span>
    ),
    sortBy: ({ type }) => type,
  },
  {
    id: "id",
    header: "Id",
    cell: (node) => <NodeLink node={node} />,
    sortBy: ({ external_id: id }) => id,
    look: "wide",
  },
  {
    id: "labels",
    header: "Labels",
    cell: ({ labels, is_identity: isIdentity }) => <PlainLabels labels={labels} isIdentity={isIdentity} />,
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ update_time: at }) => (at === undefined ? null : <Instant at={at} />),
    sortBy: ({ update_time: at }) => at ?? "",
  },
];

const PlainLabels = ({ labels, isIdentity }: { labels: readonly string[]; isIdentity: boolean }) => (
  <span className="row">
    {isIdentity && <span className="tag">identity</span>}
    {labels.map((label) => (
      <span className="tag" key={label}>
        <PlainText text={label} limit={40} />
      </span>
    ))}
  </span>
);

/** Nodes by type and id. */
export const NodesScreen = () => {
  const search = nodesSearch({ ...useSearch({ strict: false }) });
  return <GraphScreen>{(projectId) => <Nodes projectId={projectId} search={search} />}</GraphScreen>;
};

const Nodes = ({ projectId, search }: { readonly projectId: string; readonly search: NodesSearch }) => {
  const schema = useSchema(projectId);
  const nodes = useNodes(projectId, search);
  const isFiltered = search.type !== undefined;
  return (
    <>
      <FindForm
        key={JSON.stringify(search)}
        search={search}
        schema={schema.data}
        isSchemaMissing={schema.isError && schema.data === undefined}
      />
      <Loaded query={{ ...nodes, error: nodes.isFetchNextPageError ? null : nodes.error }} what="the nodes">
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          if (rows.length === 0)
            return (
              <>
                {isFiltered ? <NoMatchingNode search={search} /> : <EmptyGraph />}
                <Refresh projectId={projectId} />
              </>
            );
          return (
            <>
              <div className="list-head">
                <p className="hint" role="status">
                  {countText(rows.length, "node")}
                  {nodes.hasNextPage ? ", and there are more" : ""}
                </p>
                <div className="row">
                  <Refresh projectId={projectId} />
                  <LookCopies
                    look={{ kind: "nodes", ...search }}
                    projectId={projectId}
                    label="Copy the list"
                  />
                </div>
              </div>
              <DataTable label="Nodes" columns={columns} rows={rows} keyOf={keyOf} />
              {nodes.isFetchNextPageError && (
                <ErrorNote
                  error={nodes.error}
                  title="Could not load the next page"
                  onRetry={() => nodes.fetchNextPage()}
                />
              )}
              {nodes.hasNextPage && !nodes.isFetchNextPageError && (
                <div className="row">
                  <button
                    type="button"
                    className="button"
                    disabled={nodes.isFetchingNextPage}
                    onClick={() => void nodes.fetchNextPage()}
                  >
                    {nodes.isFetchingNextPage ? "Loading…" : "Show more"}
                  </button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
};

/** Nodes are read once; applications may have written more since. */
const Refresh = ({ projectId }: { readonly projectId: string }) => {
  const client = useQueryClient();
  const refresh = (): void => {
    // Back to the first page: what was read further would be read in one go, and each page leaves an audit record.
    void client.resetQueries({ queryKey: ["nodes", projectId] });
    void client.invalidateQueries({ queryKey: ["data-schema", projectId] });
  };
  return (
    <button type="button" className="button small start" onClick={refresh}>
      <Icon name="retry" />
      Refresh
    </button>
  );
};

const NoMatchingNode = ({ search }: { readonly search: NodesSearch }) => (
  <Empty title="No matching node">
    <p>
      There is no node of type <PlainText text={search.type ?? ""} limit={60} />
      {search.prefix === undefined ? (
        ""
      ) : (
        <>
          {" "}
          whose id begins with <PlainText text={search.prefix} limit={80} mono />
        </>
      )}
      . Types and ids are case-sensitive.
    </p>
  </Empty>
);
