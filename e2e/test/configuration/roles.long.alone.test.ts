import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { roles, type TableRole } from "@ikg/contracts";
import { make } from "../../src/configuration/collections.ts";
import { createParents, type Parents, removeParents } from "../../src/configuration/parents.ts";
import {
  allowedStatus,
  deletedFrom,
  makeThings,
  request,
  restore,
  type Row,
  rows,
  type Things,
} from "../../src/fixtures/role-requests.ts";
import { freshName } from "../../src/fresh-name.ts";
import { long } from "../../src/long.ts";
import type { Account } from "../../src/requests/account.ts";
import { configs, ownAccount } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";
import { type PeopleSuite, servicesOfPeople, startPeopleSuite } from "../../src/suites/people-suite.ts";

/** Every cell of docs/roles.md by a request of its own: what is allowed has the status of its operation, anything else 403. */
interface Actor {
  readonly title: string;
  readonly role: TableRole;
  /** Of the role: everything, the project that the requests are about, or another one. */
  readonly scope: "organization" | "own" | "other";
  /** Whom the role is bound to by a group, in place of a service account. */
  readonly isPerson?: true;
}

const scopes = ["organization", "own", "other"] as const;
const allActors: readonly Actor[] = [
  ...roles.flatMap((role) => scopes.map((scope) => ({ title: `${role} over ${scope}`, role, scope }))),
  { title: "a service account that is all_viewer", role: "all_viewer", scope: "organization" },
  ...roles.flatMap((role) =>
    scopes.map((scope) => ({
      title: `a person who is ${role} over ${scope}`,
      role,
      scope,
      isPerson: true as const,
    })),
  ),
];
/** Every role over its own project and an owner over the organization, as service accounts; the long run has all of them. */
const actors = long(
  allActors.filter(
    ({ role, scope, isPerson }) =>
      isPerson === undefined && (scope === "own" || (role === "owner" && scope === "organization")),
  ),
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
let people: PeopleSuite | undefined;

/** What an actor calls with. */
interface Access {
  token(): Promise<string>;
  /** Of the gateway that takes the token; undefined: the suite's. */
  readonly base: string | undefined;
}
const accesses = new Map<string, Access>();
/** A project to delete, of each actor who may. */
const toDelete = new Map<string, string>();
const accountIds: string[] = [];

const isProjectRemoval = ({ title }: Row): boolean => title === "delete_project";

/** A service account or a person, and the subject of its role bindings. */
interface Holder extends Access {
  readonly subject: object;
}

const newAccount = async ({ role }: Actor): Promise<Holder> => {
  const organization_id = account.organizationId;
  const name = freshName("actor");
  const own = role === "all_viewer" ? { role } : {};
  const { id } = await make(account, "/service-accounts", { organization_id, name, ...own });
  accountIds.push(id);
  const credential = await make(account, "/service-account-credentials", { service_account_id: id });
  const { token } = credential["service_account_config"] as { token: string }; // shown once, here
  return { subject: { service_account_id: id }, token: () => Promise.resolve(token), base: undefined };
};

const newPerson = ({ provider, base }: PeopleSuite): Holder => {
  const sub = freshName("person");
  const group = freshName("roles");
  provider.people.set(sub, { groups: [group] });
  return { subject: { claim: "groups", value: group }, token: () => provider.accessToken(sub), base };
};

const makeActor = async (actor: Actor): Promise<void> => {
  const { title, role, scope } = actor;
  if (actor.isPerson) people ??= await startPeopleSuite([], {}, servicesOfPeople);
  const holder = actor.isPerson && people !== undefined ? newPerson(people) : await newAccount(actor);
  const bind = (project: string | undefined) =>
    make(account, "/role-bindings", {
      subject: holder.subject,
      role,
      ...(project === undefined ? {} : { project_id: project }),
    });
  const project = { organization: undefined, own: parents.projectId, other: others.projectId }[scope];
  if (role !== "all_viewer") await bind(project);
  if (rows.some((row) => isProjectRemoval(row) && isAllowed(row, actor))) {
    const { organizationId: organization_id } = account;
    const removed = await make(account, "/projects", { organization_id, name: freshName("roles") });
    toDelete.set(title, removed.id);
    if (project !== undefined) await bind(removed.id);
  }
  accesses.set(title, holder);
};

beforeAll(async () => {
  account = ownAccount();
  parents = await createParents(account, freshName("roles"));
  others = await createParents(account, freshName("others"));
  things = await makeThings(account, parents);
  for (const actor of actors) await makeActor(actor);
}, 240_000);

const remove = async (collection: string, id: string): Promise<void> => {
  must(await configs(`/${collection}/${id}`, { method: "DELETE" }), 200);
};

afterAll(async () => {
  await people?.close();
  for (const id of accountIds) await remove("service-accounts", id);
  for (const each of [parents, others]) if (each) await removeParents(account, each);
  for (const path of ["projects", "service-accounts", "role-bindings"])
    for (const record of must<{ data: { id: string; name?: string; subject?: { value?: string } }[] }>(
      await configs(`/${path}`),
      200,
    ).data)
      if ((record.name ?? record.subject?.value ?? "").startsWith("roles-")) await remove(path, record.id);
}, 60_000);

const accessOf = (title: string): Access => {
  const found = accesses.get(title);
  if (found === undefined) throw new Error(`no actor ${title}`);
  return found;
};

/** The same things, with another project for the requests to the collection of projects. */
const withProject = (id: string): Things => ({
  ...things,
  records: new Map([...things.records, ["/projects", id]]),
});

describe("the table of role and operation", () => {
  it.each(actors)(
    "$title",
    async (actor) => {
      const { base, ...access } = accessOf(actor.title);
      const token = await access.token();
      const wrong: string[] = [];
      for (const row of rows) {
        const own = isProjectRemoval(row) ? toDelete.get(actor.title) : undefined;
        const about = own === undefined ? things : withProject(own);
        const { status, text, body } = await request(row, about, token, base);
        const expected = isAllowed(row, actor) ? allowedStatus(row) : 403;
        if (status !== expected)
          wrong.push(`${row.title}: ${status} in place of ${expected}: ${text.slice(0, 200)}`);
        // An agent or an account can have ten at a time.
        if (status === 201 && row.title.endsWith("_credential"))
          await remove(row.operation.path.slice("/configs/v1/".length), (body as { id: string }).id);
        const collection = deletedFrom(row);
        if (collection !== undefined && own === undefined && status === 200)
          await restore(things, collection);
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it("has requests that succeed: an owner's reads are all 200", async () => {
    const token = await accessOf("owner over organization").token();
    const statuses = await Promise.all(
      rows
        .filter(({ operation: { method } }) => method === "get")
        .map(async (row) => [row.title, (await request(row, things, token)).status] as const),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });
});
