import { useQuery } from "@tanstack/react-query";
import { type RecentRecords, recentRecords } from "../../../queries/recent-records.ts";
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
const maxPages = 20;

export interface RecentSigning extends Pick<RecentRecords, "last" | "isComplete"> {
  readonly events: readonly SigningEvent[];
}

/** The newest batch, and what happened to the signing key. */
export const useRecentSigning = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["recent-signing", projectId],
    enabled: useMay()("list_audit_logs", projectId),
    queryFn: async ({ signal }): Promise<RecentSigning> => {
      const since = new Date(Date.now() - recentHours * 60 * 60_000);
      const { records, last, isComplete } = await recentRecords(admin, {
        since,
        maxPages,
        signal,
        keep: ({ type }) => type.startsWith("audit.signing."),
      });
      return { last, events: signingEvents(records), isComplete };
    },
  });
};
