import { expect, it } from "@jest/globals";
import { StatementTimeout } from "@ikg/graph";
import { type Route, route } from "@ikg/service";
import { timeoutsAsUnavailable } from "./timeouts-as-unavailable.ts";

const run = (error: Error): Promise<unknown> => {
  const failing = route({
    operation: "list_imports",
    method: "get",
    path: "/capture/v1/imports",
    caller: "agent",
    handle: async () => {
      throw error;
    },
  });
  return timeoutsAsUnavailable(failing).run({} as Parameters<Route["run"]>[0]); // the route reads nothing of it
};

it("a statement that runs past its limit is 503, any other error unchanged", async () => {
  await expect(run(new StatementTimeout(10_000))).rejects.toMatchObject({ code: "unavailable", status: 503 });
  const other = new Error("another fault");
  await expect(run(other)).rejects.toBe(other);
});
