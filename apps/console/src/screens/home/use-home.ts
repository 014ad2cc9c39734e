import type { AuditRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { baseUrl } from "../../session/base-url.ts";
import { useAdmin, useMay } from "../../session/use-admin.ts";
import { type Attention, needsAttention } from "./needs-attention.ts";
import { recentDecisions, type RecentDecisions } from "./recent-decisions.ts";

const refetchInterval = 30_000;
export const recentMinutes = 60;
const mostPages = 10;

export interface Recent extends RecentDecisions {
  readonly attention: readonly Attention[];
  /** True: there are more records than are read here. */
  readonly isPartial: boolean;
}

/** What was decided in the last hour, as the audit trail has it. */
export const useRecent = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["recent-decisions", projectId],
    enabled: useMay()("list_audit_logs", projectId),
    refetchInterval,
    queryFn: async ({ signal }): Promise<Recent> => {
      const since = new Date(Date.now() - recentMinutes * 60_000);
      const records: AuditRecord[] = [];
      let pages = 0;
      for await (const page of admin.audit.batches({ since, signal }).pages()) {
        records.push(...page.items.flatMap(({ data }) => data));
        pages += 1;
        if (pages === mostPages) break;
      }
      return {
        ...recentDecisions(records),
        attention: needsAttention(records),
        isPartial: pages === mostPages,
      };
    },
  });
};

const servicesMs = 10_000;
/** While the state cannot be read, that is soon said, and for longer than it is being read again. */
const statusTimeoutMs = 4_000;

/** Every service with its processes, as they report themselves. */
export const useServices = () => {
  const admin = useAdmin();
  return useQuery({
    queryKey: ["services"],
    enabled: useMay()("read_suite_status"),
    queryFn: ({ signal }) => admin.status({ signal, timeoutMs: statusTimeoutMs }),
    refetchInterval: ({ state }) => (state.status === "error" ? refetchInterval : servicesMs),
  });
};

const shownChanges = 8;

/** The newest changes of policies and queries. */
export const useLastChanges = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["last-changes", projectId],
    enabled: useMay()("list_changes", projectId),
    refetchInterval,
    queryFn: async ({ signal }) => {
      const { value } = await admin.changes.list({ pageSize: shownChanges, signal }).pages().next();
      return value?.items ?? [];
    },
  });
};

/** Whether the graph has a node; unknown to who may not look. */
export const useHasNodes = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["has-nodes", projectId],
    enabled: useMay()("list_nodes", projectId),
    queryFn: async ({ signal }) => {
      const { value } = await admin.graph.nodes({ pageSize: 1, signal }).pages().next();
      return (value?.items.length ?? 0) > 0;
    },
  });
};

interface Readiness {
  readonly isReady: boolean;
  readonly version: string | undefined;
}

/** Whether the gateway takes requests, and which version it is: public, as every probe sees it. */
export const useReadiness = () =>
  useQuery({
    queryKey: ["readiness"],
    refetchInterval,
    queryFn: async ({ signal }): Promise<Readiness> => {
      const response = await fetch(`${baseUrl()}/readyz`, { signal, credentials: "omit" });
      const body = (await response.json().catch(() => ({}))) as { readonly version?: unknown }; // of the gateway
      return { isReady: response.ok, version: typeof body.version === "string" ? body.version : undefined };
    },
  });
