import { Link } from "@tanstack/react-router";
import { Empty } from "../../components/empty.tsx";
import { Instant } from "../../components/instant.tsx";
import { Loaded } from "../../queries/loaded.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { useMay } from "../../session/use-admin.ts";
import { recentMinutes, useLastChanges, useRecent } from "./use-home.ts";

interface ListProps {
  readonly projectId: string;
}

/** The latest denials, each with a link to its explanation. */
export const LastDenials = ({ projectId }: ListProps) => {
  const recent = useRecent(projectId);
  if (!useMay()("list_audit_logs", projectId)) return null;
  return (
    <section className="stack" aria-label="Last denials">
      <h2>Last denials</h2>
      <Loaded query={recent} what="the audit records">
        {({ denials }) =>
          denials.length === 0 ? (
            <Empty title="No denials">
              <p>No decision of the last {recentMinutes} minutes was a denial.</p>
            </Empty>
          ) : (
            <ul className="events">
              {denials.map(({ id, time, subject, action, resource }) => (
                <li key={id} className="card">
                  <p>
                    <PlainText text={subject.type} limit={60} /> <PlainText text={subject.id} limit={60} />{" "}
                    may not <PlainText text={action} limit={60} />{" "}
                    <PlainText text={resource.type} limit={60} /> <PlainText text={resource.id} limit={60} />
                  </p>
                  <p className="hint row">
                    <Instant at={time} />
                    <Link
                      to="/playground"
                      search={{
                        subject_type: subject.type.toWellFormed(),
                        subject: subject.id.toWellFormed(),
                        action: action.toWellFormed(),
                        resource_type: resource.type.toWellFormed(),
                        resource: resource.id.toWellFormed(),
                        project: projectId,
                      }}
                    >
                      Why?
                    </Link>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
};

const operations = { put: "saved", delete: "removed" } as const;

/** The latest changes of policies and queries. */
export const LastChanges = ({ projectId }: ListProps) => {
  const changes = useLastChanges(projectId);
  if (!useMay()("list_changes", projectId)) return null;
  return (
    <section className="stack" aria-label="Last changes">
      <h2>Last changes</h2>
      <Loaded query={changes} what="the changes">
        {(records) =>
          records.length === 0 ? (
            <Empty title="Nothing was changed yet">
              <p>Changes of policies and queries are listed here.</p>
            </Empty>
          ) : (
            <ul className="events">
              {records.map(({ id, create_time: time, message, changes: transitions }) => (
                <li key={id} className="card">
                  {transitions.slice(0, 3).map((each) => (
                    <p key={each.id}>
                      {each.collection === "knowledge-queries" ? "Query" : "Policy"}{" "}
                      <PlainText text={each.name} limit={80} /> {operations[each.op]}
                      {each.op === "put" && `, version ${each.to_version}`}
                    </p>
                  ))}
                  {transitions.length > 3 && <p>and {transitions.length - 3} more</p>}
                  {message !== undefined && (
                    <p>
                      <PlainText text={message} limit={200} />
                    </p>
                  )}
                  <p className="hint">
                    <Instant at={time} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
};
