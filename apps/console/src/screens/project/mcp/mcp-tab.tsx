import type { McpServerRecord } from "@ikg/client";
import { RecordList } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { Connection } from "./connection.tsx";
import { mcpKind } from "./mcp-kind.tsx";

/** How AI agents call; a project has one MCP server at most. */
export const McpTab = ({ projectId }: { readonly projectId: string }) => (
  <RecordList<McpServerRecord>
    projectId={projectId}
    kind={mcpKind}
    purpose="An MCP server lets AI agents ask for decisions and run queries, on behalf of the person who is signed in."
    max={1}
  >
    {(servers) =>
      servers.map((server) => <Connection key={server.id} projectId={projectId} server={server} />)
    }
  </RecordList>
);

interface McpPageProps {
  readonly projectId: string;
  readonly name: string;
}

export const McpPage = ({ projectId, name }: McpPageProps) => (
  <RecordPage projectId={projectId} kind={mcpKind} name={name}>
    {(server) => <Connection projectId={projectId} server={server} />}
  </RecordPage>
);
