import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { type Credentials, openCredentials, openPeople, type People } from "@ikg/auth";
import {
  type AdministratorAccess,
  type AdministratorCaller,
  administratorAccess,
  type Gid,
  operations,
  type Permission,
  permissions,
  reaches,
  reachFor,
  roles,
} from "@ikg/contracts";
import fc from "fast-check";
import { Redis } from "ioredis";
import {
  audience,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../stack/src/testing/servers/people-provider.ts";
import { isLongRun, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

/**
 * No privilege escalation: whatever service accounts and people do with roles, accounts, tokens and agents, none has anything
 * afterwards that was not theirs before, unless an actor who had it gave it to them; and a service account always owns the organization.
 */
let configs: ConfigsUnderTest;
let redis: Redis;
let credentials: Credentials;
let provider: PeopleProvider;
let clock = Date.now();

beforeAll(async () => {
  configs = await startConfigs();
  redis = new Redis(requireVariable("REDIS_URL"));
  credentials = openCredentials({
    graph: configs.graph,
    redis,
    pepper: configs.pepper,
    log,
    now: () => clock,
  });
  provider = await startPeopleProvider();
  for (const [sub, groups] of Object.entries(people)) provider.people.set(sub, { groups });
});
afterAll(async () => {
  await provider?.close();
  await credentials?.close();
  redis?.disconnect();
  await configs?.close();
});

const log = { warn: () => undefined };

/** Groups of each person; a role that one group has reaches several of them. */
const people: Readonly<Record<string, readonly string[]>> = {
  ann: ["red"],
  bob: ["red", "blue"],
  carl: ["blue"],
};
const accountRoles = ["all_editor", "all_viewer", undefined, undefined, undefined, undefined] as const;
/** Actors that steps are drawn for: the accounts, then the people. */
const lastActor = accountRoles.length + Object.keys(people).length - 1;

const accesses: readonly (readonly [string, AdministratorAccess])[] = operations.flatMap(({ operation }) => {
  const access = administratorAccess(operation);
  return access === undefined ? [] : [[operation, access] as const];
});

/** What actors do: by whom, to whom, which role, where. */
const step = fc.record({
  actor: fc.nat(lastActor),
  verb: fc.constantFrom("give", "take", "account", "token", "remove", "agent", "permit", "key"),
  target: fc.nat(lastActor),
  role: fc.constantFrom(...roles),
  permission: fc.constantFrom(...permissions),
  where: fc.constantFrom<"organization" | 0 | 1>("organization", 0, 1),
  pick: fc.nat(9),
} as const);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Actor {
  /** Of a service account; undefined for a person. */
  readonly id: string | undefined;
  /** Of a person. */
  readonly groups: readonly string[];
  readonly token: string;
}

interface Agent {
  readonly id: string;
  readonly project: Gid;
  readonly permission: Permission;
}

/** What an agent's key may do that administrators may, too: `operation scope`. */
const powersOfKey = ({ project, permission }: Pick<Agent, "project" | "permission">): ReadonlySet<string> =>
  new Set(
    operations
      .filter(({ access }) => access.credential === "either" && access.permission === permission)
      .map(({ operation }) => `${operation} ${project}`),
  );

/** One organization with its actors, the first of which owns it. */
class World {
  readonly #root: Tenant;
  readonly #people: People;
  readonly #projects: readonly Made[];
  readonly #applications: readonly Made[];
  readonly actors: Actor[] = [];
  readonly bindings: string[] = [];
  readonly agents: Agent[] = [];

  constructor(root: Tenant, projects: readonly Made[], applications: readonly Made[]) {
    this.#root = root;
    this.#projects = projects;
    this.#applications = applications;
    this.#people = openPeople({
      service: "gateway",
      issuer: {
        issuer: provider.issuer,
        audience,
        organization: root.organization,
        acrValues: [],
        maxAgeSeconds: 0,
      },
      settings: {
        TOKEN_CLOCK_SKEW_SECONDS: 60,
        EGRESS_ALLOW_HTTP: true,
        EGRESS_ALLOW_HOSTS: [],
        EGRESS_ALLOW_CIDRS: ["127.0.0.0/8"],
        TOKEN_SEALING_KEY: randomBytes(32),
      },
      graph: configs.graph,
      redis,
      log,
      metrics: { counter: () => ({ inc: () => undefined }) },
      now: () => clock,
    });
  }

  close(): Promise<void> {
    return this.#people.close();
  }

  /** A person with a token that outlasts the clock of the test. */
  async addPerson(sub: string, groups: readonly string[]): Promise<void> {
    const exp = Math.floor(clock / 1_000) + 30 * 86_400;
    const token = await provider.resign(await provider.accessToken(sub), { exp });
    this.actors.push({ id: undefined, groups, token });
  }

  async add(by: Tenant, role?: string): Promise<number> {
    const { organization } = this.#root;
    const body = {
      organization_id: organization,
      name: freshName(),
      ...(role === undefined ? {} : { role }),
    };
    const made = await by.send("POST", "/service-accounts", body);
    if (made.status !== 201) return made.status;
    const id = String(made.body["id"]);
    const token = await this.tokenOf(id, this.#root);
    this.actors.push({ id, groups: [], token: token ?? "" });
    return 201;
  }

  async tokenOf(id: string, by: Tenant): Promise<string | undefined> {
    const made = await by.send("POST", "/service-account-credentials", { service_account_id: id });
    return (made.body["service_account_config"] as { token: string } | undefined)?.token;
  }

  /** Makes an agent with one permission. @returns what its keys may do */
  async addAgent(by: Tenant, at: 0 | 1, permission: Permission): Promise<ReadonlySet<string> | undefined> {
    const [project, application] = [this.#projects[at], this.#applications[at]];
    if (project === undefined || application === undefined) throw new Error(`no project ${at}`);
    const body = { application_id: application.id, name: freshName(), api_permissions: [permission] };
    const made = await by.send("POST", "/application-agents", body);
    if (made.status !== 201) return undefined;
    const agent = { id: String(made.body["id"]), project: project.id, permission };
    this.agents.push(agent);
    return powersOfKey(agent);
  }

  /** Changes the permission of an agent. @returns what its keys may do */
  async permit(by: Tenant, pick: number, permission: Permission): Promise<ReadonlySet<string> | undefined> {
    const at = pick % this.agents.length;
    const agent = this.agents[at];
    if (agent === undefined || agent.permission === permission) return undefined;
    const body = { api_permissions: [permission] };
    const { status } = await by.send("PUT", `/application-agents/${agent.id}`, body);
    if (status !== 200) return undefined;
    this.agents[at] = { ...agent, permission };
    return powersOfKey({ ...agent, permission });
  }

  /** Makes a key of an agent. @returns what it may do */
  async keyOf(by: Tenant, pick: number): Promise<ReadonlySet<string> | undefined> {
    const agent = this.agents[pick % this.agents.length];
    if (agent === undefined) return undefined;
    const body = { application_agent_id: agent.id };
    const { status } = await by.send("POST", "/application-agent-credentials", body);
    return status === 201 ? powersOfKey(agent) : undefined;
  }

  /** As the gateway knows who calls; nothing is remembered from before. Undefined for a token that is no longer valid. */
  async callerOf({ id, token }: Pick<Actor, "id" | "token">): Promise<AdministratorCaller | undefined> {
    clock += 60_000;
    return id === undefined
      ? this.#people.user(token)
      : credentials.serviceAccount(token).catch(() => undefined);
  }

  /** Everything that an actor may do: `operation scope`. Undefined for one whose token is no longer valid. */
  async powers(actor: Pick<Actor, "id" | "token">): Promise<ReadonlySet<string> | undefined> {
    const caller = await this.callerOf(actor);
    if (caller === undefined) return undefined;
    const scopes = [undefined, ...this.#projects.map(({ id }) => id)];
    return new Set(
      accesses.flatMap(([operation, access]) =>
        scopes
          .filter((scope) => reaches(reachFor(caller, access), scope))
          .map((scope) => `${operation} ${scope ?? "organization"}`),
      ),
    );
  }

  async allPowers(): Promise<readonly (ReadonlySet<string> | undefined)[]> {
    const all = [];
    for (const actor of this.actors) all.push(await this.powers(actor));
    return all;
  }

  async as(actor: Actor): Promise<Tenant | undefined> {
    const caller = await this.callerOf(actor);
    return caller === undefined ? undefined : this.#root.by(caller);
  }

  scopeOf(where: Step["where"]): { readonly project_id?: Gid } {
    const project = where === "organization" ? undefined : this.#projects[where];
    return project === undefined ? {} : { project_id: project.id };
  }
}

const newWorld = async (): Promise<World> => {
  const tenant = await configs.tenant();
  const projects = [await tenant.project(), await tenant.project()];
  const applications = await Promise.all(
    projects.map(({ id }) => tenant.make("/applications", { project_id: id, name: freshName() })),
  );
  const world = new World(tenant, projects, applications);
  for (const role of accountRoles) await world.add(tenant, role);
  for (const [sub, groups] of Object.entries(people)) await world.addPerson(sub, groups);
  for (const permission of ["Audit", "ReadGraph"] as const) await world.addAgent(tenant, 0, permission);
  // The first actor is then the only owner that is stored.
  const { status, text } = await tenant.send("DELETE", `/service-accounts/${tenant.account}`);
  if (status !== 200) throw new Error(`the first owner: ${status} ${text}`);
  return world;
};

/** @param pick which of a person's groups. */
const subjectOf = ({ id, groups }: Actor, pick: number): object =>
  id === undefined ? { claim: "groups", value: groups[pick % groups.length] } : { service_account_id: id };

/** @returns what a token or key may do that a step has shown to its actor, or given to those who have the agent's keys. */
const act = async (
  world: World,
  { actor, verb, target, role, permission, where, pick }: Step,
): Promise<ReadonlySet<string> | undefined> => {
  const by = world.actors[actor];
  const whom = world.actors[target];
  const tenant = by === undefined ? undefined : await world.as(by);
  if (tenant === undefined || whom === undefined) return undefined;
  switch (verb) {
    case "give": {
      const subject = subjectOf(whom, pick);
      const made = await tenant.send("POST", "/role-bindings", { subject, role, ...world.scopeOf(where) });
      if (made.status === 201) world.bindings.push(String(made.body["id"]));
      return undefined;
    }
    case "take":
      await tenant.send(
        "DELETE",
        `/role-bindings/${world.bindings[pick % (world.bindings.length || 1)] ?? "gid:x"}`,
      );
      return undefined;
    case "account":
      await world.add(tenant, pick % 2 === 0 ? "all_editor" : "all_viewer");
      return undefined;
    case "token": {
      if (whom.id === undefined) return undefined;
      const token = await world.tokenOf(whom.id, tenant);
      return token === undefined ? undefined : world.powers({ id: whom.id, token });
    }
    case "remove":
      if (whom.id !== undefined) await tenant.send("DELETE", `/service-accounts/${whom.id}`);
      return undefined;
    case "agent":
      return world.addAgent(tenant, where === "organization" ? 0 : where, permission);
    case "permit":
      return world.permit(tenant, pick, permission);
    case "key":
      return world.keyOf(tenant, pick);
  }
};

const isWithin = (one: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): boolean =>
  [...one].every((power) => others.some((other) => other.has(power)));

type Powers = Awaited<ReturnType<World["allPowers"]>>;

/**
 * Does a step.
 *
 * @param before what the actors may do.
 * @returns what they may do after it.
 */
const check = async (world: World, each: Step, before: Powers): Promise<Powers> => {
  const giver = before[each.actor] ?? new Set<string>();
  const gained = await act(world, each);
  const after = await world.allPowers();
  after.forEach((powers, index) => {
    if (powers !== undefined && !isWithin(powers, before[index] ?? new Set(), giver))
      throw new Error(`${JSON.stringify(each)} gave actor ${index} more than the giver had`);
  });
  if (gained !== undefined && !isWithin(gained, giver))
    throw new Error(`${JSON.stringify(each)} gave a token or key of more than the actor had`);
  const owns = (powers: ReadonlySet<string> | undefined): boolean =>
    powers?.has("create_role_binding organization") === true;
  if (!after.some((powers, index) => world.actors[index]?.id !== undefined && owns(powers)))
    throw new Error(`${JSON.stringify(each)} left the organization without a service account that owns it`);
  return after;
};

describe("roles", () => {
  it("never give an actor more than one who had it gave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: isLongRun() ? 1 : 8, maxLength: 12 }), async (steps) => {
        const world = await newWorld();
        try {
          // Some roles to begin with, so that not every step is refused: to accounts, and to a group.
          const first: Step = {
            actor: 0,
            verb: "give",
            target: 2,
            role: "owner",
            permission: "Capture",
            where: 0,
            pick: 0,
          };
          const toOwner = { ...first, target: 3, where: "organization" as const };
          const toGroup = { ...first, target: accountRoles.length, where: 1 as const };
          let powers = await world.allPowers();
          for (const each of [first, toOwner, toGroup]) powers = await check(world, each, powers);
          const ann = powers[toGroup.target];
          if (ann === undefined || ann.size === 0) throw new Error("the group has no role");
          for (const each of steps) powers = await check(world, each, powers);
        } finally {
          await world.close();
        }
      }),
      { numRuns: isLongRun() ? 60 : 1, endOnFailure: true },
    );
  }, 300_000);
});
