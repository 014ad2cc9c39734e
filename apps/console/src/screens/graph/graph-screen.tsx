import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { Empty } from "../../components/empty.tsx";
import { Screen } from "../../components/screen.tsx";
import { useMay } from "../../session/use-admin.ts";
import "./graph.css";
import { LooksContext } from "./type-mark.tsx";
import { typeLooks } from "./type-looks.ts";
import { useSchema } from "../../queries/use-schema.ts";

interface GraphScreenProps {
  readonly children: (projectId: string) => ReactNode;
}

/** What the pages of the graph have in common. A role that may not read it gets a note instead. */
export const GraphScreen = ({ children }: GraphScreenProps) => {
  const project = useCurrentProject();
  const may = useMay();
  const isTypes = useLocation().pathname.endsWith("/types");
  if (project === undefined) return null;
  const isAllowed = may("read_node", project.id);
  return (
    <Screen title={screens.graph.title} question={screens.graph.question}>
      {isAllowed ? (
        <WithLooks projectId={project.id}>
          <nav className="sub-nav" aria-label="Graph">
            <Link to="/graph" className={isTypes ? undefined : "current"}>
              Nodes
            </Link>
            <Link to="/graph/types" className={isTypes ? "current" : undefined}>
              Types
            </Link>
          </nav>
          {children(project.id)}
        </WithLooks>
      ) : (
        <Empty title="You cannot read this graph">
          <p>
            The graph is shown to the roles <code>owner</code> and <code>data_viewer</code>. An owner of the
            project can grant you one of them.
          </p>
        </Empty>
      )}
    </Screen>
  );
};

const WithLooks = ({ projectId, children }: { readonly projectId: string; readonly children: ReactNode }) => {
  const { data } = useSchema(projectId);
  const looks = useMemo(() => typeLooks(Object.keys(data?.graph.nodes ?? {})), [data]);
  return <LooksContext value={looks}>{children}</LooksContext>;
};
