import { expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import { FirstPlans } from "./first-plans.ts";
import { runWrite, type Target } from "./write.ts";

it("says when the server has ended a commit that it did not acknowledge in time", async () => {
  const closed = Promise.withResolvers<undefined>();
  const session = {
    beginTransaction: () => ({ commit: () => new Promise(() => undefined) }),
    close: () => closed.promise,
  };
  const driver = { session: () => session } as unknown as Driver; // what a write without statements uses of it
  const target: Target = {
    ...{ driver, database: "neo4j", part: "", clustered: false },
    ...{ prefix: "", firstPlans: new FirstPlans(), observe: () => undefined },
  };
  const closings: Promise<unknown>[] = [];
  const onClosing = (closing: Promise<unknown>): void => void closings.push(closing);
  const written = runWrite(target, () => Promise.resolve("written"), { timeoutMs: 50, onClosing });
  await expect(written).rejects.toMatchObject({ code: "commit_unknown" });
  expect(closings).toHaveLength(1);
  closed.resolve(undefined);
  await closings[0];
}, 10_000);
