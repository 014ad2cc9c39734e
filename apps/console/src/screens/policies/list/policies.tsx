import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import { useCurrentProject } from "../../../app/current-project.ts";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { Screen } from "../../../parts/screen.tsx";
import { usePolicies } from "../../../parts/use-policies.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { formOfText, type PolicyForm } from "../draft/policy-form.ts";
import { useHasDraft } from "../draft/use-policy-draft.ts";
import "../../../parts/record-editor/record-editor.css";
import "../policies.css";
import { countGrants, type Grants } from "./count-grants.ts";
import { GrantsBar } from "./grants-bar.tsx";
import { StatusTag } from "../../../parts/record-editor/status-tag.tsx";
import { Triple } from "./triple.tsx";

interface Row {
  readonly record: AuthorizationPolicyRecord;
  readonly form: PolicyForm | undefined;
}

const tripleText = ({ form }: Row): string =>
  form === undefined ? "" : `${form.subject} ${form.actions.join(" ")} ${form.resource}`;

/** Marks what is typed and not saved. */
const DraftTag = ({ projectId, name }: { readonly projectId: string; readonly name: string }) =>
  useHasDraft(projectId, name) ? <span className="tag warn draft-tag">Not saved</span> : null;

const baseColumns: readonly Column<Row>[] = [
  {
    id: "name",
    header: "Policy",
    cell: ({ record: { name, display_name: displayName, project_id: projectId } }) => (
      <span className="record-name">
        <Link to="/policies/$policy" params={{ policy: name }}>
          <PlainText text={name} limit={120} />
        </Link>
        {displayName !== name && (
          <small>
            <PlainText text={displayName} limit={120} />
          </small>
        )}
        <DraftTag projectId={projectId} name={name} />
      </span>
    ),
    sortBy: ({ record }) => record.name,
  },
  {
    id: "rule",
    header: "Who may do what",
    look: "wide",
    cell: ({ form }) => <Triple form={form} />,
    sortBy: tripleText,
  },
  {
    id: "status",
    header: "Status",
    cell: ({ record }) => <StatusTag status={record.status} />,
    sortBy: ({ record }) => record.status,
  },
  {
    id: "tags",
    header: "Tags",
    cell: ({ record: { tags } }) => (
      <span className="row">
        {tags.map((tag) => (
          <span className="tag" key={tag}>
            <PlainText text={tag} limit={30} />
          </span>
        ))}
      </span>
    ),
  },
  {
    id: "changed",
    header: "Changed",
    cell: ({ record }) => <Instant at={record.update_time} />,
    sortBy: ({ record }) => record.update_time,
  },
];

const grantsColumn = ({ byPolicy, isComplete }: Grants): Column<Row> => ({
  id: "grants",
  header: "Granted, last hour",
  look: "number",
  // Only policies for decisions grant any.
  cell: ({ record: { id }, form }) =>
    form?.kind === "queries" ? "–" : `${isComplete ? "" : "≥ "}${byPolicy.get(id) ?? 0}`,
  sortBy: ({ record: { id } }) => byPolicy.get(id) ?? 0,
});

const matches = (row: Row, search: string): boolean => {
  const { name, display_name: displayName, tags } = row.record;
  const text = [name, displayName, ...tags, tripleText(row)].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** What are the rules? */
export const Policies = () => {
  const project = useCurrentProject();
  const mayCreate = useMay()("create_authorization_policy", project?.id);
  return (
    <Screen
      title="Policies"
      question="What are the rules?"
      actions={
        mayCreate && (
          <Link to="/policies/-/new" className="button primary">
            <Icon name="plus" />
            New policy
          </Link>
        )
      }
    >
      {project !== undefined && <PolicyList projectId={project.id} mayCreate={mayCreate} />}
    </Screen>
  );
};

interface PolicyListProps {
  readonly projectId: string;
  readonly mayCreate: boolean;
}

const PolicyList = ({ projectId, mayCreate }: PolicyListProps) => (
  <Loaded query={usePolicies(projectId)} what="the policies">
    {(records) =>
      records.length === 0 ? (
        <Empty title="No policy yet">
          <p>
            Nothing is allowed until a policy allows it. A policy says who may do what with what, and by which
            pattern of the graph they must be connected.
          </p>
          {mayCreate && (
            <Link to="/policies/-/new" className="button primary">
              Write the first policy
            </Link>
          )}
        </Empty>
      ) : (
        <PolicyTable projectId={projectId} records={records} />
      )
    }
  </Loaded>
);

interface PolicyTableProps {
  readonly projectId: string;
  readonly records: readonly AuthorizationPolicyRecord[];
}

const PolicyTable = ({ projectId, records }: PolicyTableProps) => {
  const [search, setSearch] = useState("");
  const id = useId();
  const admin = useAdmin(projectId);
  const mayReadAudit = useMay()("list_audit_logs", projectId);
  const grants = useQuery({
    queryKey: ["grants", projectId],
    enabled: false,
    queryFn: ({ signal }) => countGrants(admin, signal),
  });
  const rows = useMemo(
    () => records.map((record): Row => ({ record, form: formOfText(record.policy) })),
    [records],
  );
  const columns = useMemo(
    () => (grants.data === undefined ? baseColumns : [...baseColumns, grantsColumn(grants.data)]),
    [grants.data],
  );
  const shown = rows.filter((row) => matches(row, search));
  return (
    <div className="stack">
      <div className="row list-bar">
        <label htmlFor={id} className="visually-hidden">
          Find a policy
        </label>
        <input
          id={id}
          type="search"
          placeholder="Find by name, type, action or tag"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="hint" role="status">
          {search !== "" && `${shown.length} of `}
          {rows.length === 1 ? "1 policy" : `${rows.length} policies`}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty title="No policy matches">
          <p>Names, types, actions and tags are searched for each word.</p>
        </Empty>
      ) : (
        <DataTable label="Policies" columns={columns} rows={shown} keyOf={({ record }) => record.id} />
      )}
      {mayReadAudit && <GrantsBar query={grants} />}
    </div>
  );
};
