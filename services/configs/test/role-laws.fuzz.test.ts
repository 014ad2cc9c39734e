import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { type Credentials, openCredentials } from "@ikg/auth";
import {
  type AdministratorAccess,
  administratorAccess,
  type Gid,
  operations,
  reaches,
  reachFor,
  roles,
  type ServiceAccountCaller,
} from "@ikg/contracts";
import fc from "fast-check";
import { Redis } from "ioredis";
import { isLongRun, required } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

/**
 * No one escalates: whatever actors do with roles, accounts and tokens, none has anything afterwards that was not theirs
 * before, unless an actor who had it gave it to them; and the organization always has an owner.
 */
let configs: ConfigsUnderTest;
let redis: Redis;
let credentials: Credentials;
let clock = Date.now();

beforeAll(async () => {
  configs = await startConfigs();
  redis = new Redis(required("REDIS_URL"));
  const log = { warn: () => undefined };
  credentials = openCredentials({
    graph: configs.graph,
    redis,
    pepper: configs.pepper,
    log,
    now: () => clock,
  });
});
afterAll(async () => {
  await credentials?.close();
  redis?.disconnect();
  await configs?.close();
});

const accesses: readonly (readonly [string, AdministratorAccess])[] = operations.flatMap(({ operation }) => {
  const access = administratorAccess(operation);
  return access === undefined ? [] : [[operation, access] as const];
});

/** What actors do: by whom, to whom, which role, where. */
const step = fc.record({
  actor: fc.nat(5),
  verb: fc.constantFrom("give", "take", "account", "token", "remove"),
  target: fc.nat(5),
  role: fc.constantFrom(...roles),
  where: fc.constantFrom<"organization" | 0 | 1>("organization", 0, 1),
  pick: fc.nat(9),
} as const);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Actor {
  readonly id: string;
  readonly token: string;
}

/** One organization with its actors, the first of which owns it. */
class World {
  readonly #root: Tenant;
  readonly #projects: readonly Made[];
  readonly actors: Actor[] = [];
  readonly bindings: string[] = [];

  constructor(root: Tenant, projects: readonly Made[]) {
    this.#root = root;
    this.#projects = projects;
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
    this.actors.push({ id, token: token ?? "" });
    return 201;
  }

  async tokenOf(id: string, by: Tenant): Promise<string | undefined> {
    const made = await by.send("POST", "/service-account-credentials", { service_account_id: id });
    return (made.body["service_account_config"] as { token: string } | undefined)?.token;
  }

  /** Everything that the holder of a token may do: `operation scope`. Undefined for a token that is none any more. */
  async powers(token: string): Promise<ReadonlySet<string> | undefined> {
    const caller = await callerOf(token);
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
    for (const { token } of this.actors) all.push(await this.powers(token));
    return all;
  }

  async as({ token }: Actor): Promise<Tenant | undefined> {
    const caller = await callerOf(token);
    return caller === undefined ? undefined : this.#root.by(caller);
  }

  scopeOf(where: Step["where"]): { readonly project_id?: Gid } {
    const project = where === "organization" ? undefined : this.#projects[where];
    return project === undefined ? {} : { project_id: project.id };
  }
}

/** As the gateway knows who calls; nothing is remembered from before. */
const callerOf = async (token: string): Promise<ServiceAccountCaller | undefined> => {
  clock += 60_000;
  return credentials.serviceAccount(token).catch(() => undefined);
};

const newWorld = async (): Promise<World> => {
  const tenant = await configs.tenant();
  const world = new World(tenant, [await tenant.project(), await tenant.project()]);
  for (const role of ["all_editor", "all_viewer", undefined, undefined, undefined, undefined])
    await world.add(tenant, role);
  return world;
};

/** @returns the token that a step has shown to its actor. */
const act = async (
  world: World,
  { actor, verb, target, role, where, pick }: Step,
): Promise<string | undefined> => {
  const by = world.actors[actor];
  const whom = world.actors[target];
  const tenant = by === undefined ? undefined : await world.as(by);
  if (tenant === undefined || whom === undefined) return undefined;
  switch (verb) {
    case "give": {
      const subject = { service_account_id: whom.id };
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
    case "token":
      return world.tokenOf(whom.id, tenant);
    case "remove":
      await tenant.send("DELETE", `/service-accounts/${whom.id}`);
      return undefined;
  }
};

const isWithin = (one: ReadonlySet<string>, ...others: readonly ReadonlySet<string>[]): boolean =>
  [...one].every((power) => others.some((other) => other.has(power)));

const check = async (world: World, each: Step): Promise<void> => {
  const before = await world.allPowers();
  const giver = before[each.actor] ?? new Set<string>();
  const shown = await act(world, each);
  const after = await world.allPowers();
  after.forEach((powers, index) => {
    if (powers !== undefined && !isWithin(powers, before[index] ?? new Set(), giver))
      throw new Error(`${JSON.stringify(each)} gave actor ${index} more than the giver had`);
  });
  if (shown !== undefined && !isWithin((await world.powers(shown)) ?? new Set(), giver))
    throw new Error(`${JSON.stringify(each)} showed a token of more than the actor had`);
  if (!after.some((powers) => powers?.has("create_role_binding organization") === true))
    throw new Error(`${JSON.stringify(each)} left the organization without an owner`);
};

describe("roles", () => {
  it("never give an actor more than one who had it gave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const world = await newWorld();
        // Some roles to begin with, so that not every actor is refused.
        const first: Step = { actor: 0, verb: "give", target: 2, role: "owner", where: 0, pick: 0 };
        for (const each of [first, { ...first, target: 3, where: "organization" as const }, ...steps])
          await check(world, each);
      }),
      { numRuns: isLongRun() ? 60 : 5, endOnFailure: true },
    );
  }, 300_000);
});
