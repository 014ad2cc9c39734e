import type { AuditRecord } from "@ikg/audit";
import { type Gid, newUuid } from "@ikg/contracts";

/** What a bootstrap did to the configuration. */
export interface BootstrapChange {
  readonly organizationId: Gid;
  readonly accountId: Gid;
  /** Made by this call. */
  readonly created: readonly {
    readonly kind: "organization" | "service_account";
    readonly id: Gid;
    readonly name: string;
  }[];
  readonly issued: { readonly id: Gid; readonly kid: string };
  readonly replaced: { readonly id: Gid; readonly kid: string } | undefined;
}

/** The audit records of a bootstrap, in the chain of its organization. */
export const bootstrapRecords = (change: BootstrapChange, now: Date): readonly AuditRecord[] => {
  const { organizationId, accountId, created, issued, replaced } = change;
  const envelope = () => ({
    id: newUuid(now.getTime()),
    time: now.toISOString(),
    project_id: organizationId,
    actor: { type: "system", id: "bootstrap" } as const,
    outcome: "success" as const,
  });
  return [
    ...created.map(({ kind, id, name }): AuditRecord => ({
      ...envelope(),
      type: "audit.config.create",
      data: { kind, id, name, version: 1 },
    })),
    ...(replaced === undefined
      ? []
      : [
          {
            ...envelope(),
            type: "audit.credentials.delete",
            data: { ...replaced, owner: accountId },
          } as const,
        ]),
    { ...envelope(), type: "audit.credentials.create", data: { ...issued, owner: accountId } },
  ];
};
