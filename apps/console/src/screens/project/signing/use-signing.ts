import type { AuditRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { type SigningEvent, signingEvents } from "./signing-state.ts";

/** Public keys that have signed for the project. */
export const useSigningKeys = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["signing-keys", projectId],
    queryFn: async ({ signal }) => (await admin.audit.keys({ signal })).keys,
  });
};

/** The newest signed state of the chain; null: none was signed yet. Hourly, for chains that have grown. */
export const useCheckpoint = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["checkpoint", projectId],
    enabled: useMay()("list_audit_checkpoints", projectId),
    queryFn: async ({ signal }) => {
      const { value } = await admin.audit.checkpoints({ pageSize: 1, signal }).pages().next();
      return value?.items[0] ?? null;
    },
  });
};

export const recentHours = 24;
const mostPages = 20;

export interface RecentSigning {
  /** The newest batch; undefined: none was signed in this time. */
  readonly last: { readonly kid: string; readonly alg: string; readonly sequence: number } | undefined;
  readonly events: readonly SigningEvent[];
  /** False: there are more batches than are read here. */
  readonly isComplete: boolean;
}

/** What was signed of late, and what failed. */
export const useRecentSigning = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["recent-signing", projectId],
    enabled: useMay()("list_audit_logs", projectId),
    queryFn: async ({ signal }): Promise<RecentSigning> => {
      const since = new Date(Date.now() - recentHours * 60 * 60_000);
      const records: AuditRecord[] = [];
      let last: RecentSigning["last"];
      let pages = 0;
      for await (const { items } of admin.audit.batches({ since, signal }).pages()) {
        records.push(
          ...items.flatMap(({ data }) => data).filter(({ type }) => type.startsWith("audit.signing.")),
        );
        last = items.at(-1) ?? last;
        pages += 1;
        if (pages === mostPages) break;
      }
      return { last, events: signingEvents(records), isComplete: pages < mostPages };
    },
  });
};
