import { Link } from "@tanstack/react-router";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/instant.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { useMay } from "../../session/use-admin.ts";
import { recentMinutes, useRecent } from "./use-home.ts";

/** What needs the attention of an administrator; renders nothing where all is well. */
export const NeedsAttention = ({ projectId }: { readonly projectId: string }) => {
  const { data } = useRecent(projectId);
  const mayRead = useMay()("read_external_data_resolver", projectId);
  if (data === undefined || data.attention.length === 0) return null;
  return (
    <section className="stack" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul className="events">
        {data.attention.map(({ id, time, kind, text, resolver }) => (
          <li key={id} className="card attention">
            <Icon name="warning" />
            <div>
              <p>
                <PlainText text={text} limit={300} />
              </p>
              <p className="hint row">
                <Instant at={time} />
                {kind === "import" && (
                  <Link to="/import" search={{ project: projectId }}>
                    Import jobs
                  </Link>
                )}
                {resolver !== undefined && mayRead && (
                  <Link
                    to="/project/$tab/$record"
                    params={{ tab: "resolvers", record: resolver.toWellFormed() }}
                    search={{ project: projectId }}
                  >
                    Resolver
                  </Link>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p className="hint">From the audit records of the last {recentMinutes} minutes.</p>
    </section>
  );
};
