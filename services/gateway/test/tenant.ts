import { randomBytes } from "node:crypto";
import { hashCredential, newCredential } from "@ikg/auth";
import { type AccountRole, type Gid, newGid, type Permission, type Role } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { boundTo, partOf, recordLabel, type RecordLabelKind, recordLabels } from "@ikg/physical";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";

type BindingSubject =
  | { readonly service_account_id: Gid }
  | { readonly claim: string; readonly value: string };

export const pepper = randomBytes(32);

/** Records of one organization, written as the configs service writes them, and removed after the test. */
export interface Tenant {
  readonly organization: Gid;
  readonly project: Gid;
  agent(permissions: readonly Permission[]): Promise<Gid>;
  key(
    agent: Gid,
    expires?: Date,
  ): Promise<{ readonly token: string; readonly kid: string; readonly id: Gid }>;
  /** @param role of its record; undefined: only what role bindings give. */
  account(role?: AccountRole): Promise<{ readonly token: string; readonly id: Gid; readonly account: Gid }>;
  /** Gives a role over the organization, or over the project. */
  bind(subject: BindingSubject, role: Role, project?: Gid): Promise<Gid>;
  /** Another organization, without anything in it. */
  organizationBeside(): Promise<Gid>;
  setPermissions(agent: Gid, permissions: readonly Permission[]): Promise<void>;
  /** Writes the limits of the project's record. */
  limit(limits: Readonly<Record<string, number>>): Promise<void>;
  remove(id: Gid): Promise<void>;
  end(): Promise<void>;
}

export const graphOfTest = (): Graph =>
  connectGraph({
    ...neo4jOfTests(),
    database: "neo4j",
  });

const options = { timeoutMs: 80_000 };

type Add = (
  kind: RecordLabelKind,
  id: Gid,
  parent: Gid | undefined,
  fields: Record<string, unknown>,
  /** A service account that a role binding is about. */
  holder?: Gid,
) => Promise<Gid>;
type Write = (text: string, params: Record<string, unknown>) => Promise<unknown>;

/** Writes records of an organization. */
const addTo =
  (organization: Gid, write: Write): Add =>
  async (kind, id, parent, fields, holder) => {
    await write(`CREATE (r:${recordLabel}:${recordLabels[kind]}) SET r = $fields`, {
      fields: { id, kind, organization_id: organization, data: "{}", ...fields },
    });
    if (parent !== undefined)
      await write(
        `MATCH (r:${recordLabel} {id: $id}), (parent:${recordLabel} {id: $parent}) CREATE (r)-[:${partOf}]->(parent)`,
        { id, parent },
      );
    if (holder !== undefined)
      await write(
        `MATCH (r:${recordLabel} {id: $id}), (h:${recordLabel} {id: $holder}) CREATE (r)-[:${boundTo}]->(h)`,
        { id, holder },
      );
    return id;
  };

/** Creates the callers of an organization and their credentials. */
const callersOf = (
  add: Add,
  organization: Gid,
  project: Gid,
  application: Gid,
): Pick<Tenant, "agent" | "key" | "account" | "bind"> => ({
  bind: (subject, role, over) =>
    add(
      "role_binding",
      newGid("role_binding"),
      organization,
      { data: JSON.stringify({ subject, role }), ...(over === undefined ? {} : { project_id: over }) },
      "service_account_id" in subject ? subject.service_account_id : undefined,
    ),
  agent: (permissions) =>
    add("application_agent", newGid("application_agent"), application, {
      project_id: project,
      data: JSON.stringify({ api_permissions: permissions }),
    }),
  key: async (agent, expires) => {
    const { token, kid } = newCredential("ak1");
    const id = await add("application_agent_credential", newGid("application_agent_credential"), agent, {
      project_id: project,
      kid,
      agent_id: agent,
      token_hash: hashCredential(token, pepper),
      ...(expires === undefined ? {} : { expire_time: expires.toISOString() }),
    });
    return { token, kid, id };
  },
  account: async (role) => {
    const account = await add("service_account", newGid("service_account"), organization, {
      data: JSON.stringify(role === undefined ? {} : { role }),
    });
    const { token, kid } = newCredential("sa1");
    const id = await add("service_account_credential", newGid("service_account_credential"), account, {
      kid,
      service_account_id: account,
      token_hash: hashCredential(token, pepper),
    });
    return { token, id, account };
  },
});

export const newTenant = async (graph: Graph): Promise<Tenant> => {
  const organization = newGid("organization");
  const write: Write = (text, params) => graph.shared.write(async (tx) => tx.run(text, params), options);
  const setData = async (id: Gid, data: object): Promise<void> => {
    await write(`MATCH (r:${recordLabel} {id: $id}) SET r.data = $data`, { id, data: JSON.stringify(data) });
  };
  const add = addTo(organization, write);
  await add("organization", organization, undefined, {});
  const project = newGid("project");
  await add("project", project, organization, { project_id: project });
  const application = await add("application", newGid("application"), project, { project_id: project });
  return {
    organization,
    project,
    ...callersOf(add, organization, project, application),
    organizationBeside: () => {
      const beside = newGid("organization");
      return addTo(beside, write)("organization", beside, undefined, {});
    },
    setPermissions: (agent, permissions) => setData(agent, { api_permissions: permissions }),
    limit: (limits) => setData(project, { limits }),
    remove: async (id) => {
      await write(`MATCH (r:${recordLabel} {id: $id}) DETACH DELETE r`, { id });
    },
    end: async () => {
      await write(`MATCH (r:${recordLabel} {organization_id: $organization}) DETACH DELETE r`, {
        organization,
      });
    },
  };
};
