import { useQuery } from "@tanstack/react-query";
import { recentRecords } from "../../queries/recent-records.ts";
import { baseUrl } from "../../session/base-url.ts";
import { useAdmin, useMay } from "../../session/use-admin.ts";
import { type Attention, needsAttention } from "./needs-attention.ts";
import { recentDecisions, type RecentDecisions } from "./recent-decisions.ts";

const refetchInterval = 30_000;
export const recentMinutes = 60;
const maxPages = 10;

export interface Recent extends RecentDecisions {
  readonly attention: readonly Attention[];
  /** True: only the newest records were read. */
  readonly isPartial: boolean;
}

/** The decisions of the last hour, by the audit trail. */
export const useRecent = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["recent-decisions", projectId],
    enabled: useMay()("list_audit_logs", projectId),
    refetchInterval,
    queryFn: async ({ signal }): Promise<Recent> => {
      const since = new Date(Date.now() - recentMinutes * 60_000);
      const { records, isComplete } = await recentRecords(admin, { since, maxPages, signal });
      return {
        ...recentDecisions(records),
        attention: needsAttention(records),
        isPartial: !isComplete,
      };
    },
  });
};

const servicesMs = 10_000;
/** Shorter than the interval, so that a failure is shown before the next attempt. */
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
