import { expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { backendSettings } from "../../src/suites/start-beside.ts";

/** Processes that come and go, in GET /configs/v1/status. */
const service = "trust-scorer";

const statuses = async (): Promise<readonly string[]> => {
  const { services } = await openAdmin().status();
  const replicas = services.find((each) => each.service === service)?.replicas ?? [];
  return replicas.map(({ status }) => status).toSorted();
};

const become = (expected: readonly string[], withinMs = 25_000) =>
  eventually(statuses, (found) => found.join() === expected.join(), { withinMs, everyMs: 500 });

it("a second process is listed when it is ready, until it ends; one that was killed is unreachable", async () => {
  // What tests before this one have killed is given up within a minute.
  await become(["ready"], 90_000);
  const beside = await startServiceProcess(service, backendSettings(service));
  await become(["ready", "ready"]);
  await beside.running.end();
  expect(await become(["ready"])).toEqual(["ready"]);
  const killed = await startServiceProcess(service, backendSettings(service));
  await become(["ready", "ready"]);
  await killed.running.end("SIGKILL");
  expect(await become(["ready", "unreachable"])).toHaveLength(2);
}, 180_000);
