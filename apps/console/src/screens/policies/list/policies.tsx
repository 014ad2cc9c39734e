import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCurrentProject } from "../../../app/current-project.ts";
import { screens } from "../../../app/navigation.ts";
import type { Column } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { Screen } from "../../../components/screen.tsx";
import { usePolicies } from "../../../queries/use-policies.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { formOfText, type PolicyForm } from "../draft/policy-form.ts";
import { useHasDraft } from "../draft/use-policy-draft.ts";
import "../../../editors/record-editor/record-editor.css";
import "../policies.css";
import { countGrants, type Grants } from "./count-grants.ts";
import { GrantsBar } from "./grants-bar.tsx";
import { changedColumn, RecordName, statusColumn } from "../../../editors/record-editor/record-columns.tsx";
import { SearchedTable } from "../../../editors/record-editor/searched-table.tsx";
import { Triple } from "./triple.tsx";

interface Row {
  readonly record: AuthorizationPolicyRecord;
  readonly form: PolicyForm | undefined;
}

const tripleText = ({ form }: Row): string =>
  form === undefined ? "" : `${form.subject} ${form.actions.join(" ")} ${form.resource}`;

const Name = ({ record }: Row) => (
  <RecordName record={record} hasDraft={useHasDraft(record.project_id, record.name)}>
    <Link to="/policies/$policy" params={{ policy: record.name }}>
      <PlainText text={record.name} limit={120} />
    </Link>
  </RecordName>
);

const baseColumns: readonly Column<Row>[] = [
  {
    id: "name",
    header: "Policy",
    cell: (row) => <Name {...row} />,
    sortBy: ({ record }) => record.name,
  },
  {
    id: "rule",
    header: "Who may do what",
    look: "wide",
    cell: ({ form }) => <Triple form={form} />,
    sortBy: tripleText,
  },
  statusColumn,
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
  changedColumn,
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

const searchedText = (row: Row): string => {
  const { name, display_name: displayName, tags } = row.record;
  return [name, displayName, ...tags, tripleText(row)].join(" ");
};

/** The policies of the project. */
export const Policies = () => {
  const project = useCurrentProject();
  const mayCreate = useMay()("create_authorization_policy", project?.id);
  return (
    <Screen
      title={screens.policies.title}
      question={screens.policies.question}
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
  return (
    <div className="stack">
      <SearchedTable
        label="Policies"
        singular="policy"
        plural="policies"
        placeholder="Find by name, type, action or tag"
        hint="Names, types, actions and tags are searched for each word."
        columns={columns}
        rows={rows}
        keyOf={({ record }) => record.id}
        textOf={searchedText}
      />
      {mayReadAudit && <GrantsBar query={grants} />}
    </div>
  );
};
