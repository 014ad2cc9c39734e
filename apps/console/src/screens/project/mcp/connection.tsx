import type { McpServerRecord } from "@ikg/client";
import { useEffect } from "react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { Note } from "../../../components/note.tsx";
import { snippetsOf } from "./snippets.ts";
import { useEndpoint } from "./use-endpoint.ts";

interface ConnectionProps {
  readonly projectId: string;
  readonly server: McpServerRecord;
}

/** How AI agents connect to the project. */
export const Connection = ({ projectId, server }: ConnectionProps) => {
  const endpoint = useEndpoint(projectId);
  const { refetch } = endpoint;
  const { update_time: changedAt } = server;
  useEffect(() => {
    // A change is live within two seconds.
    const timer = setTimeout(() => void refetch(), 2_500);
    return () => clearTimeout(timer);
  }, [changedAt, refetch]);
  return (
    <section className="card stack" aria-label="Connect">
      <h2>Connect</h2>
      <Loaded query={endpoint} what="the endpoint">
        {({ address, isAvailable }) => (
          <>
            {!isAvailable && (
              <Note tone="warn">
                <p>
                  {server.enabled
                    ? "The endpoint is not available yet. It becomes available within two seconds of a change, and only with a token introspection for JWTs."
                    : "The endpoint is disabled. Enable this MCP server to use it."}
                </p>
              </Note>
            )}
            <div className="row">
              <code className="address">{address}</code>
              <CopyButton label="Copy address" text={address} />
            </div>
            {snippetsOf(server.name, address).map(({ label, hint, text }) => (
              <div className="stack tight" key={label}>
                <div className="row spread">
                  <div>
                    <h3>{label}</h3>
                    <p className="hint">{hint}</p>
                  </div>
                  <CopyButton label="Copy" text={text} />
                </div>
                <pre className="code" role="region" aria-label={label} tabIndex={0}>
                  {text}
                </pre>
              </div>
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
};
