import type { NodeSummary } from "@ikg/client";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { countText } from "../../../text/count-text.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import { LookCopies } from "../copy/look-copies.tsx";
import { GraphScreen } from "../graph-screen.tsx";
import { type NodesSearch, nodesSearch } from "../graph-search.ts";
import { useSchema } from "../../../queries/use-schema.ts";
import { EmptyGraph } from "./empty-graph.tsx";
import { FindForm } from "./find-form.tsx";
import { NodeTable } from "./node-table.tsx";
import { type NodePages, useNodes } from "./use-nodes.ts";

/** Nodes by type and id. */
export const NodesScreen = () => {
  const search = nodesSearch({ ...useSearch({ strict: false }) });
  return <GraphScreen>{(projectId) => <Nodes projectId={projectId} search={search} />}</GraphScreen>;
};

interface NodesProps {
  readonly projectId: string;
  readonly search: NodesSearch;
}

const Nodes = ({ projectId, search }: NodesProps) => {
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
          if (rows.length > 0)
            return <NodeList projectId={projectId} search={search} nodes={nodes} rows={rows} />;
          return (
            <>
              {isFiltered ? <NoMatchingNode search={search} /> : <EmptyGraph />}
              <Refresh projectId={projectId} />
            </>
          );
        }}
      </Loaded>
    </>
  );
};

interface NodeListProps extends NodesProps {
  readonly nodes: NodePages;
  /** Of all pages that were read. */
  readonly rows: readonly NodeSummary[];
}

/** The nodes that were found, as far as they were read. */
const NodeList = ({ projectId, search, nodes, rows }: NodeListProps) => (
  <>
    <div className="list-head">
      <p className="hint" role="status">
        {countText(rows.length, "node")}
        {nodes.hasNextPage ? ", and there are more" : ""}
      </p>
      <div className="row">
        <Refresh projectId={projectId} />
        <LookCopies look={{ kind: "nodes", ...search }} projectId={projectId} label="Copy the list" />
      </div>
    </div>
    <NodeTable rows={rows} />
    <NextPage nodes={nodes} />
  </>
);

/** Reads on, or says why that was not possible. */
const NextPage = ({ nodes }: Pick<NodeListProps, "nodes">) => {
  const { error, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = nodes;
  if (isFetchNextPageError)
    return <ErrorNote error={error} title="Could not load the next page" onRetry={() => fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <div className="row">
      <button
        type="button"
        className="button"
        disabled={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {isFetchingNextPage ? "Loading…" : "Show more"}
      </button>
    </div>
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
