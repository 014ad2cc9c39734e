import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { GraphScreen } from "../graph-screen.tsx";
import { type NodeSearch, nodeSearch } from "../graph-search.ts";
import type { Filters } from "../neighbourhood/neighbourhood-store.ts";
import { NeighbourhoodView } from "../neighbourhood/neighbourhood-view.tsx";
import type { NamedNode } from "../node-link.tsx";
import { useSchema } from "../../../queries/use-schema.ts";
import { NodeDetails } from "./node-details.tsx";
import { useNode } from "./use-node.ts";

/** One node: what it has, and what it is related to. */
export const NodeScreen = () => {
  const search = nodeSearch({ ...useSearch({ strict: false }) });
  const { type, id } = search;
  return (
    <GraphScreen>
      {(projectId) =>
        type === undefined || id === undefined ? (
          <Empty title="No node is named">
            <p>
              The address names a node by its type and id. <Link to="/graph">Find one</Link>.
            </p>
          </Empty>
        ) : (
          <OneNode
            key={JSON.stringify([type, id])}
            projectId={projectId}
            type={type}
            id={id}
            search={search}
          />
        )
      }
    </GraphScreen>
  );
};

interface OneNodeProps {
  readonly projectId: string;
  readonly type: string;
  readonly id: string;
  readonly search: NodeSearch;
}

const filtersOf = ({ direction, types }: NodeSearch): Filters => ({
  direction,
  types: types?.split(",").filter((type) => type !== "") ?? [],
});

const OneNode = ({ projectId, type, id, search }: OneNodeProps) => {
  const navigate = useNavigate();
  const named: NamedNode = useMemo(() => ({ type, external_id: id }), [type, id]);
  const node = useNode(projectId, named);
  const schema = useSchema(projectId);
  const change = (next: Readonly<Record<string, unknown>>): void =>
    void navigate({ to: "/graph/node", search: nodeSearch({ ...search, ...next }), replace: true });
  return (
    <>
      <p>
        <Link to="/graph" search={{ type }}>
          All nodes of the type <PlainText text={type} limit={60} />
        </Link>
      </p>
      <Loaded query={node} what="the node">
        {(found) =>
          found === null ? (
            <Empty title="No such node">
              <p>
                There is no node of type <PlainText text={type} limit={60} /> with the id{" "}
                <PlainText text={id} limit={120} mono />. It may have been deleted, or belong to another
                project.
              </p>
            </Empty>
          ) : (
            <>
              <NodeDetails projectId={projectId} node={found} />
              <NeighbourhoodView
                projectId={projectId}
                root={named}
                schema={schema.data}
                filters={filtersOf(search)}
                onFilters={({ direction, types }) => change({ direction, types: types.join(",") })}
                isTable={search.view === "table"}
                onTable={(isTable) => change({ view: isTable ? "table" : undefined })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
};
