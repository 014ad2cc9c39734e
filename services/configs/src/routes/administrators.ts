import { type Administrator, type AdministratorCaller, grantsOf, tableRoles } from "@ikg/contracts";
import { reply, type Route, route } from "@ikg/service";
import { readRecord } from "../records/read.ts";
import type { Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";

/** Roles in the order of the table, each with the organization first. */
const rolesOf = (caller: AdministratorCaller): Administrator["roles"] => {
  const grants = grantsOf(caller);
  return tableRoles.flatMap((role) => {
    const scopes = new Set(grants[role] ?? []);
    return [
      ...(scopes.delete(caller.org) ? [{ role }] : []),
      ...[...scopes].map((project) => ({ role, project_id: project })),
    ];
  });
};

/** GET /configs/v1/administrators/current: who calls, and with which roles. */
export const currentAdministrator = (store: Store): Route =>
  route({
    operation: "current_administrator",
    method: "get",
    path: "/configs/v1/administrators/current",
    caller: "administrator",
    handle: async (input): Promise<ReturnType<typeof reply>> => {
      const { caller } = input;
      const shared = { organization_id: caller.org, roles: rolesOf(caller) };
      if (caller.kind === "user") {
        const { issuer, sub, name } = caller;
        const user = { type: "user", issuer, sub, ...(name !== undefined && { name }), ...shared } as const;
        return reply(200, user satisfies Administrator);
      }
      // Every administrator may know itself, also where no role reads the accounts of the organization.
      const context = { ...callerContextOf(input), reach: "organization" } as const;
      const { id, name } = await readRecord(store, "service_account", caller.service_account, context);
      const account = { type: "service_account", id, name: name ?? "", ...shared } as const;
      return reply(200, account satisfies Administrator);
    },
  });
