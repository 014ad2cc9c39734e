import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useCurrentProject } from "../../app/current-project.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PlainText } from "../../parts/plain-text.tsx";
import { Screen } from "../../parts/screen.tsx";
import { useAdmin } from "../../session/use-admin.ts";

const columns: readonly Column<AuthorizationPolicyRecord>[] = [
  { id: "name", header: "Policy", cell: ({ name }) => <PlainText text={name} />, sortBy: ({ name }) => name },
  { id: "status", header: "Status", cell: ({ status }) => status, sortBy: ({ status }) => status },
  {
    id: "changed",
    header: "Changed",
    cell: ({ update_time: at }) => <Instant at={at} />,
    sortBy: ({ update_time: at }) => at,
  },
];

const Policies = () => {
  const project = useCurrentProject();
  const admin = useAdmin(project?.id);
  const policies = useQuery({
    queryKey: ["policies", project?.id],
    queryFn: ({ signal }) => admin.policies.list({ signal }),
  });
  return (
    <Loaded query={policies} what="the policies">
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="No policy yet">
            <p>Nothing is allowed until a policy allows it.</p>
          </Empty>
        ) : (
          <DataTable label="Policies" columns={columns} rows={rows} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
};

/** Which policies decide in the project. */
export const Playground = () => (
  <Screen title="Playground" question="May X do Y with Z, and why?">
    <Policies />
  </Screen>
);
