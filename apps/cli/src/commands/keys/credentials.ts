import type { IkgAdmin } from "@ikg/client";
import type { Command } from "commander";
import { type AnyRecord, inAnyState } from "../../records/open-collection.ts";

/** The kind of holder. */
export interface HolderOptions {
  readonly serviceAccount?: true;
}

export const addHolderOption = (command: Command): Command =>
  command.option("--service-account", "the holder is a service account, not an application agent");

/** A credential without its secret. */
export interface Credential {
  readonly id: string;
  readonly kid: string;
  readonly display_name: string;
  readonly create_time: string;
  readonly expire_time?: string | undefined;
  readonly last_used?: string | undefined;
}

interface NewFields {
  readonly display_name: string | undefined;
  readonly expire_time: string | undefined;
  /** Only for service accounts. */
  readonly replaces: string | undefined;
  readonly overlap_seconds: number | undefined;
}

/** Credentials of one kind of holder. */
export interface Credentials {
  /** Lists the credentials of one holder, or of all holders in the project or organization. */
  list(holder: string | undefined): Promise<readonly (Credential & { readonly holder: string })[]>;
  /** @returns the credential, and its token, which cannot be retrieved later. */
  create(
    holder: string,
    fields: NewFields,
  ): Promise<{ readonly record: AnyRecord; readonly token: string | undefined }>;
  revoke(id: string): Promise<void>;
}

const nameOf = (names: ReadonlyMap<string, string>, id: string): string => names.get(id) ?? id;

const ofAgents = (admin: IkgAdmin): Credentials => ({
  list: async (holder) => {
    const [agents, all] = await Promise.all([admin.agents.list(), admin.agentCredentials.list()]);
    const only = holder === undefined ? undefined : (await admin.agents.get(holder)).id;
    const names = new Map(agents.map(({ id, name }) => [id, name]));
    return all
      .filter((each) => only === undefined || each.application_agent_id === only)
      .map((each) => ({ ...each, holder: nameOf(names, each.application_agent_id) }));
  },
  create: async (holder, { display_name, expire_time }) => {
    const { id: application_agent_id } = await admin.agents.get(holder);
    const record = await admin.agentCredentials.create({ application_agent_id, display_name, expire_time });
    return { record: { ...record }, token: record.application_agent_config?.token };
  },
  revoke: (id) => admin.agentCredentials.delete(id, inAnyState),
});

const ofServiceAccounts = (admin: IkgAdmin): Credentials => ({
  list: async (holder) => {
    const [accounts, all] = await Promise.all([
      admin.serviceAccounts.list(),
      admin.serviceAccountCredentials.list(),
    ]);
    const only = holder === undefined ? undefined : (await admin.serviceAccounts.get(holder)).id;
    const names = new Map(accounts.map(({ id, name }) => [id, name]));
    return all
      .filter((each) => only === undefined || each.service_account_id === only)
      .map((each) => ({ ...each, holder: nameOf(names, each.service_account_id) }));
  },
  create: async (holder, fields) => {
    const { id: service_account_id } = await admin.serviceAccounts.get(holder);
    const record = await admin.serviceAccountCredentials.create({ service_account_id, ...fields });
    return { record: { ...record }, token: record.service_account_config?.token };
  },
  revoke: (id) => admin.serviceAccountCredentials.delete(id, inAnyState),
});

export const credentialsOf = (admin: IkgAdmin, { serviceAccount }: HolderOptions): Credentials =>
  serviceAccount === true ? ofServiceAccounts(admin) : ofAgents(admin);
