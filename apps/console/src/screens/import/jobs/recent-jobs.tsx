import type { Import } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { download } from "../../../snippets/download.ts";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { ApplicationKeyPanel } from "../../../session/application-key-panel.tsx";
import { importPurpose } from "../../../session/key-purpose.ts";
import { CancelJob } from "./cancel-job.tsx";
import { hasEnded, useJobs } from "./use-jobs.ts";

const tones: Readonly<Record<Import["status"], string>> = {
  receiving: "tag",
  queued: "tag",
  running: "tag warn",
  done: "tag good",
  cancelled: "tag",
  failed: "tag bad",
};

const count = new Intl.NumberFormat();

const progressText = ({ written, total }: Import["nodes"], status: Import["status"]): string =>
  hasEnded(status) || total === 0
    ? count.format(written)
    : `${count.format(written)} of ${count.format(total)}`;

interface Actions {
  readonly onCancel: (id: string) => void;
  readonly onRejected: (id: string) => void;
}

const columnsOf = ({ onCancel, onRejected }: Actions): readonly Column<Import>[] => [
  {
    id: "time",
    header: "Started",
    cell: ({ create_time: at }) => <Instant at={at} />,
    sortBy: ({ create_time: at }) => at,
  },
  {
    id: "status",
    header: "Status",
    cell: ({ status, percent, reason }) => (
      <>
        <span className={tones[status]}>
          {status}
          {status === "running" && ` ${Math.floor(percent)} %`}
        </span>
        {reason !== undefined && (
          <>
            {" "}
            <PlainText text={reason} limit={200} />
          </>
        )}
      </>
    ),
    sortBy: ({ status }) => status,
  },
  { id: "nodes", header: "Nodes", look: "number", cell: ({ nodes, status }) => progressText(nodes, status) },
  {
    id: "relationships",
    header: "Relationships",
    look: "number",
    cell: ({ relationships, status }) => progressText(relationships, status),
  },
  {
    id: "rejected",
    header: "Rejected",
    look: "number",
    cell: ({ rejected }) => count.format(rejected.count),
  },
  {
    id: "actions",
    header: "Actions",
    cell: ({ id, status, rejected, create_time: at }) => (
      <span className="row nowrap">
        {rejected.count > 0 && (
          <button type="button" className="button small" onClick={() => onRejected(id)}>
            <Icon name="download" />
            Rejected lines
          </button>
        )}
        {!hasEnded(status) && <CancelJob startedAt={at} onCancel={() => onCancel(id)} />}
      </span>
    ),
  },
];

const keyOf = ({ id }: Import): string => id;

interface RecentJobsProps {
  readonly projectId: string;
  /** Where nothing above does so. */
  readonly asksForKey: boolean;
}

/** The latest import jobs, from any client. */
export const RecentJobs = ({ projectId, asksForKey }: RecentJobsProps) => {
  const { hasKey, jobs, cancel, rejectedText } = useJobs(projectId);
  const rejected = useMutation({
    mutationFn: rejectedText,
    onSuccess: (text) => download("rejected-lines.ndjson", text, "application/x-ndjson"),
  });
  const { mutate: onCancel } = cancel;
  const { mutate: onRejected } = rejected;
  const columns = useMemo(() => columnsOf({ onCancel, onRejected }), [onCancel, onRejected]);
  return (
    <section className="stack" aria-label="Recent import jobs">
      <div>
        <h2>Recent import jobs</h2>
        <p className="hint">
          Jobs sent to this project from any tab, the command line or an application; one import consists of
          several jobs. Finished jobs are kept for 7 days, at most 100 for each project.
        </p>
      </div>
      {cancel.isError && <ErrorNote error={cancel.error} title="The job was not cancelled" />}
      {rejected.isError && <ErrorNote error={rejected.error} title="Could not load the rejected lines" />}
      {hasKey ? (
        <Loaded query={jobs} what="the import jobs">
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="Nothing was imported yet">
                <p>Jobs of this screen, of the command line and of applications are listed here.</p>
              </Empty>
            ) : (
              <DataTable label="Import jobs" columns={columns} rows={rows} keyOf={keyOf} />
            )
          }
        </Loaded>
      ) : (
        <>
          <p className="hint">
            Listing the jobs needs an import key. Any such key of the project shows all of them, also after
            this tab is reloaded.
          </p>
          {asksForKey && <ApplicationKeyPanel projectId={projectId} purpose={importPurpose} />}
        </>
      )}
    </section>
  );
};
