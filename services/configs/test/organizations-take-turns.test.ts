import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { recordLabel, takeLock } from "@ikg/physical";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";

const connections = 4;
let configs: ConfigsUnderTest;
let tenant: Tenant;
let stranger: Tenant;
let project: Made;
let theirs: Made;

beforeAll(async () => {
  configs = await startConfigs({ NEO4J_POOL_SIZE: String(connections) });
  [tenant, stranger] = [await configs.tenant(), await configs.tenant()];
  [project, theirs] = [await tenant.project(), await stranger.project()];
});
afterAll(() => configs?.close());

/** Locks a record until it is released: what would change it, or add a part to it, waits and keeps its connection. */
const hold = async ({ id }: Made) => {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = configs.graph.shared.write(
    async (tx) => {
      await tx.run(`MATCH (r:${recordLabel} {id: $id}) ${takeLock("r")}`, { id });
      locked.resolve();
      await released.promise;
    },
    { timeoutMs: 60_000 },
  );
  await locked.promise;
  return async (): Promise<void> => {
    released.resolve();
    await held;
  };
};

it("administrators of one organization never take all connections: those of another read and write meanwhile", async () => {
  const release = await hold(theirs);
  const waiting = Array.from({ length: 3 * connections }, () =>
    stranger.send("POST", "/applications", { project_id: theirs.id, name: freshName() }),
  );
  try {
    await wait(500);
    const ours = (async () => {
      const read = await tenant.send("GET", `/projects/${project.id}`);
      const list = await tenant.send("GET", `/applications?project_id=${project.id}`);
      const written = await tenant.send("POST", "/applications", {
        project_id: project.id,
        name: freshName(),
      });
      return [read, list, written].map(({ status }) => status);
    })();
    expect(await Promise.race([ours, wait(5_000, "not answered")])).toEqual([200, 200, 201]);
  } finally {
    await release();
  }
  // They waited for their turn, and none of them was lost.
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
}, 60_000);
