/** Who writes: the raw driver, the service directly, the gateway. */
import { type Driver, Neo4jError } from "neo4j-driver";
import {
  type Evaluations,
  openEvaluations,
  Unavailable,
} from "../../../stack/src/measurement/evaluations.ts";
import { openContext } from "../context.ts";
import { callerOf, type Project } from "../project.ts";
import { say } from "../../../stack/launch/progress.mjs";
import { UserError, type Target } from "../settings.ts";
import { type Item, type Kind, statements } from "./items.ts";
import { plan } from "./plan.ts";

/** A batch as it goes out: made ready beforehand, so that only the writing is measured. */
export interface Prepared {
  readonly collection: Kind["collection"];
  readonly body: string;
  readonly rows: readonly Item["row"][];
}

export const prepare = ({ collection }: Kind, items: readonly Item[]): Prepared => ({
  collection,
  body: JSON.stringify({ [collection]: items.map(({ item }) => item) }),
  rows: items.map(({ row }) => row),
});

export const ways = ["driver", "capture", "gateway"] as const;

export type Way = (typeof ways)[number];
export type Writes = Readonly<Record<Way, (prepared: Prepared) => Promise<void>>>;

const connections = Math.max(...plan.callers);

const isDeadlock = (error: unknown): boolean =>
  error instanceof Neo4jError && error.code === "Neo.TransientError.Transaction.DeadlockDetected";

/**
 * Auto-commit with the database named: one round trip, and another one after a deadlock with another connection.
 *
 * @throws Error when not every row was written
 */
export const writeByDriver =
  (driver: Driver, pk: string) =>
  async ({ collection, rows }: Pick<Prepared, "collection" | "rows">): Promise<void> => {
    const session = driver.session({ database: "neo4j" });
    const params = { rows, now: new Date().toISOString() };
    try {
      for (;;)
        try {
          const { records } = await session.run(statements(pk)[collection], params);
          if (records.length !== rows.length) throw new Error(`${records.length} rows of ${rows.length}`);
          return;
        } catch (error) {
          if (!isDeadlock(error)) throw error;
        }
    } finally {
      await session.close();
    }
  };

/** Prints a line when something was refused as unavailable, and sends it again: that time counts as well. */
const untilAvailable = async <T>(send: () => Promise<T>): Promise<T> => {
  for (;;)
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      say(error.message);
    }
};

type Path = `/capture/v1/${Prepared["collection"]}`;

/** The ways to write, open for as long as `work` takes. */
export const withWrites = async <T>(
  target: Target,
  driver: Driver,
  project: Project,
  work: (writes: Writes) => Promise<T>,
): Promise<T> => {
  const { agent, id, pk } = project;
  if (target.capture === undefined)
    throw new UserError("UPSTREAM_CAPTURE is not set: the address of the capture service.");
  const caller = callerOf(target, id, agent, "Capture");
  const context = await openContext(target, caller, "capture", [
    "/capture/v1/nodes",
    "/capture/v1/relationships",
  ]);
  const capture = openEvaluations(target.capture, connections);
  const gateway = openEvaluations(target.gateway, connections);
  const post =
    (to: Evaluations, headers: (path: Path) => Readonly<Record<string, string>>) =>
    async ({ collection, body, rows }: Prepared): Promise<void> => {
      const path: Path = `/capture/v1/${collection}`;
      const answer = await untilAvailable(() => to.post(path, headers(path), body));
      const { results } = answer as { readonly results: readonly unknown[] }; // results, by the status
      if (results.length !== rows.length) throw new Error(`${results.length} results of ${rows.length}`);
    };
  try {
    return await work({
      driver: writeByDriver(driver, pk),
      capture: post(capture, context.headers),
      gateway: post(gateway, () => ({ "x-svc-clientkey": agent.apiKey })),
    });
  } finally {
    context.stop();
    await Promise.all([capture.close(), gateway.close()]);
  }
};
