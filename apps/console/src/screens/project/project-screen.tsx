import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { NotFound } from "../../app/not-found.tsx";
import { Empty } from "../../components/empty.tsx";
import { Screen } from "../../components/screen.tsx";
import { useCurrentInSight } from "../../components/use-current-in-sight.ts";
import { useMay } from "../../session/use-admin.ts";
import { AdministratorsTab } from "./administrators/administrators-tab.tsx";
import { AgentPage } from "./applications/agent-page.tsx";
import { ApplicationPage } from "./applications/application-page.tsx";
import { ApplicationsTab } from "./applications/applications-tab.tsx";
import { ChangePage } from "./changes/change-page.tsx";
import { ChangesTab } from "./changes/changes-tab.tsx";
import { IntrospectPage, IntrospectsTab } from "./introspects/introspects-tab.tsx";
import { McpPage, McpTab } from "./mcp/mcp-tab.tsx";
import "./project.css";
import { ResolverPage, ResolversTab } from "./resolvers/resolvers-tab.tsx";
import { SigningPage, SigningTab } from "./signing/signing-tab.tsx";
import { type Tab, type TabName, tabs } from "./tabs.ts";
import { TrustPage, TrustTab } from "./trust/trust-tab.tsx";

type Page = (props: { readonly projectId: string; readonly name: string }) => ReactNode;

const lists: Readonly<Record<TabName, (props: { readonly projectId: string }) => ReactNode>> = {
  applications: ApplicationsTab,
  administrators: AdministratorsTab,
  introspects: IntrospectsTab,
  mcp: McpTab,
  resolvers: ResolversTab,
  trust: TrustTab,
  signing: SigningTab,
  changes: ChangesTab,
};

/** Pages of single records, by the address of their tab. */
const pages: Readonly<Partial<Record<string, Page>>> = {
  applications: ApplicationPage,
  agents: AgentPage,
  introspects: IntrospectPage,
  mcp: McpPage,
  resolvers: ResolverPage,
  trust: TrustPage,
  signing: SigningPage,
  changes: ChangePage,
};

/** The configuration of the project, in tabs. */
export const ProjectScreen = () => {
  const project = useCurrentProject();
  const { tab, record } = useParams({ strict: false });
  if (project === undefined) return null;
  return (
    <Screen title={screens.project.title} question={screens.project.question}>
      <Tabs projectId={project.id} tab={tab} record={record} />
    </Screen>
  );
};

interface TabsProps {
  readonly projectId: string;
  readonly tab: string | undefined;
  readonly record: string | undefined;
}

const Tabs = ({ projectId, tab, record }: TabsProps) => {
  const may = useMay();
  const offered = tabs.filter(({ operation }) => may(operation, projectId));
  const current = tab === "agents" ? "applications" : (tab ?? offered[0]?.tab);
  if (offered.length === 0)
    return (
      <Empty title="You cannot read this configuration">
        <p>
          It is shown to the roles <code>owner</code>, <code>editor</code>, <code>policy_author</code> and{" "}
          <code>viewer</code>. An owner of the project can grant you one of them.
        </p>
      </Empty>
    );
  return (
    <>
      <TabBar offered={offered} current={current} />
      <TabContent projectId={projectId} tab={tab ?? offered[0]?.tab ?? ""} record={record} />
    </>
  );
};

interface TabBarProps {
  readonly offered: readonly Tab[];
  readonly current: string | undefined;
}

const TabBar = ({ offered, current }: TabBarProps) => {
  const bar = useCurrentInSight<HTMLElement>(".current", current);
  return (
    <nav className="sub-nav" aria-label="Project" ref={bar}>
      {offered.map(({ tab, label }) => (
        <Link
          key={tab}
          to="/project/$tab"
          params={{ tab }}
          className={tab === current ? "current" : undefined}
          aria-current={tab === current ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
};

const TabContent = ({ projectId, tab, record }: TabsProps & { readonly tab: string }) => {
  if (record !== undefined) {
    const Page = Object.hasOwn(pages, tab) ? pages[tab] : undefined;
    // Another record is another page: what is chosen on one is not chosen on the next.
    return Page === undefined ? <NotFound /> : <Page key={record} projectId={projectId} name={record} />;
  }
  const known = tabs.find((each) => each.tab === tab);
  if (known === undefined) return <NotFound />;
  const List = lists[known.tab];
  return <List projectId={projectId} />;
};
