import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { Empty } from "../../components/empty.tsx";
import { Screen } from "../../components/screen.tsx";
import { useMay } from "../../session/use-admin.ts";
import type { DecisionsSearch } from "./decisions-search.ts";
import "./decisions.css";

interface DecisionsScreenProps {
  /** What the list of records shows, or showed before. */
  readonly search?: DecisionsSearch;
  readonly children: (projectId: string) => ReactNode;
}

/** What the pages about audit records have in common. A role that may not read them gets a note instead. */
export const DecisionsScreen = ({ search = {}, children }: DecisionsScreenProps) => {
  const project = useCurrentProject();
  const may = useMay();
  const isVerify = useLocation().pathname.endsWith("/verify");
  if (project === undefined) return null;
  return (
    <Screen title={screens.decisions.title} question={screens.decisions.question}>
      {may("list_audit_logs", project.id) ? (
        <>
          <nav className="sub-nav" aria-label="Decisions">
            <Link to="/decisions" search={search} className={isVerify ? undefined : "current"}>
              Records
            </Link>
            <Link to="/decisions/verify" className={isVerify ? "current" : undefined}>
              Verify the chain
            </Link>
          </nav>
          {children(project.id)}
        </>
      ) : (
        <Empty title="You cannot read audit records">
          <p>
            The audit trail is shown to the roles <code>owner</code> and <code>auditor</code>. An owner of the
            project can grant you one of them.
          </p>
        </Empty>
      )}
    </Screen>
  );
};
