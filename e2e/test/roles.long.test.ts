import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { roles, type TableRole } from "@ikg/contracts";
import type { Account } from "../src/account.ts";
import { make } from "../src/collections.ts";
import { createParents, type Parents, removeParents } from "../src/parents.ts";
import { configs, ownAccount } from "../src/configs.ts";
import {
  allowedStatuses,
  deletedFrom,
  makeThings,
  request,
  restore,
  type Row,
  rows,
  type Things,
} from "../src/fixtures/role-requests.ts";
import { freshName } from "../src/fresh-name.ts";
import { long } from "../src/long.ts";
import { must } from "../src/must.ts";

/** Every cell of docs/roles.md by a request of its own: what is allowed has the status of its operation, anything else 403. */
interface Actor {
  readonly title: string;
  readonly role: TableRole;
  /** Of the role: everything, the project that the requests are about, or another one. */
  readonly scope: "organization" | "own" | "other";
}

const scopes = ["organization", "own", "other"] as const;
const allActors: readonly Actor[] = [
  ...roles.flatMap((role) => scopes.map((scope) => ({ title: `${role} over ${scope}`, role, scope }))),
  { title: "a service account that is all_viewer", role: "all_viewer", scope: "organization" },
];
/** Every role over its own project and an owner over the organization; the long run has all of them. */
const actors = long(
  allActors.filter(({ role, scope }) => scope === "own" || (role === "owner" && scope === "organization")),
  allActors,
);

/** What belongs to the organization, so that no role over a project reaches it. */
const ofOrganization = /_service_account(?:_credential)?s?$|^create_project$/;
/** What is about no project. A list of the organization shows what the roles reach. */
const everywhere =
  /^(?:current_administrator|current_organization|read_organization|read_suite_status|list_projects|list_role_bindings)$/;

const isAllowed = ({ operation: { operation }, roles: allowed }: Row, { role, scope }: Actor): boolean => {
  if (!allowed.includes(role)) return false;
  if (scope === "organization" || everywhere.test(operation)) return true;
  return scope === "own" && !ofOrganization.test(operation);
};

let account: Account;
let parents: Parents;
let others: Parents;
let things: Things;
const tokens = new Map<string, string>();
/** A project to delete, of each actor who may. */
const toDelete = new Map<string, string>();
const accountIds: string[] = [];

const isProjectRemoval = ({ title }: Row): boolean => title === "delete_project";

const tokenOf = async (actor: Actor): Promise<string> => {
  const { title, role, scope } = actor;
  const organization_id = account.organizationId;
  const name = freshName("actor");
  const own = role === "all_viewer" ? { role } : {};
  const { id } = await make(account, "/service-accounts", { organization_id, name, ...own });
  accountIds.push(id);
  const project = { organization: undefined, own: parents.projectId, other: others.projectId }[scope];
  if (role !== "all_viewer")
    await make(account, "/role-bindings", {
      subject: { service_account_id: id },
      role,
      ...(project === undefined ? {} : { project_id: project }),
    });
  if (rows.some((row) => isProjectRemoval(row) && isAllowed(row, actor))) {
    const removed = await make(account, "/projects", { organization_id, name: freshName("roles") });
    toDelete.set(title, removed.id);
    if (project !== undefined)
      await make(account, "/role-bindings", {
        subject: { service_account_id: id },
        role,
        project_id: removed.id,
      });
  }
  const credential = await make(account, "/service-account-credentials", { service_account_id: id });
  return (credential["service_account_config"] as { token: string }).token;
};

beforeAll(async () => {
  account = ownAccount();
  parents = await createParents(account, freshName("roles"));
  others = await createParents(account, freshName("others"));
  things = await makeThings(account, parents);
  for (const actor of actors) tokens.set(actor.title, await tokenOf(actor));
}, 120_000);

const remove = async (collection: string, id: string): Promise<void> => {
  must(await configs(`/${collection}/${id}`, { method: "DELETE" }), 200);
};

afterAll(async () => {
  for (const id of accountIds) await remove("service-accounts", id);
  for (const each of [parents, others]) if (each) await removeParents(account, each);
  for (const path of ["projects", "service-accounts", "role-bindings"])
    for (const record of must<{ data: { id: string; name?: string; subject?: { value?: string } }[] }>(
      await configs(`/${path}`),
      200,
    ).data)
      if ((record.name ?? record.subject?.value ?? "").startsWith("roles-")) await remove(path, record.id);
}, 60_000);

/** The same things, with another project for the requests to the collection of projects. */
const withProject = (id: string): Things => ({
  ...things,
  records: new Map([...things.records, ["/projects", id]]),
});

describe("the table of role and operation", () => {
  it.each(actors)(
    "$title",
    async (actor) => {
      const token = tokens.get(actor.title) ?? "";
      const wrong: string[] = [];
      for (const row of rows) {
        const own = isProjectRemoval(row) ? toDelete.get(actor.title) : undefined;
        const about = own === undefined ? things : withProject(own);
        const { status, text } = await request(row, about, token);
        const expected = isAllowed(row, actor) ? allowedStatuses(row) : [403];
        if (!expected.includes(status))
          wrong.push(`${row.title}: ${status} in place of ${expected.join(" or ")}: ${text.slice(0, 200)}`);
        const collection = deletedFrom(row);
        if (collection !== undefined && own === undefined && status === 200)
          await restore(things, collection);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it("has requests that succeed: an owner's reads are all 200", async () => {
    const token = tokens.get("owner over organization") ?? "";
    const statuses = await Promise.all(
      rows
        .filter(({ operation: { method } }) => method === "get")
        .map(async (row) => [row.title, (await request(row, things, token)).status] as const),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });
});
