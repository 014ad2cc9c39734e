import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { startServiceProcess } from "../../../../stack/src/testing/servers/service-process.ts";
import { type ConfigsUnderTest, startConfigs } from "../configs-under-test.ts";
import { type Tenant } from "../tenant.ts";
import { committedRecords } from "../committed-records.ts";
import { changesOf, putPolicy } from "./changes-under-test.ts";

const kills = 50;
const names = Array.from({ length: 100 }, (_, index) => `policy-${String(index).padStart(3, "0")}`);

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: string;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  project = (await tenant.project()).id;
});
afterAll(async () => {
  await configs.close();
});

interface Found {
  readonly id: string;
  readonly message?: string;
}

/** The newest change record. */
const newest = async (): Promise<Found | undefined> => {
  const answer = await tenant.send("GET", `/changes?project_id=${project}&pagesize=1`);
  return (answer.body["items"] as Found[])[0];
};

const versions = async (): Promise<readonly (readonly [version: unknown, description: unknown])[]> => {
  const rows = await configs.graph.shared.read(
    "MATCH (r:_AuthorizationPolicy {project_id: $project}) RETURN r.version AS version, r.description AS description",
    { project },
    { timeoutMs: 60_000 },
  );
  return rows.map((row) => [row["version"], row["description"]] as const);
};

/** Names of the policies in the audit records of a change, each as often as it occurs. */
const recorded = async (changeId: string): Promise<readonly string[]> => {
  const records = await committedRecords(configs.graph.shared, project);
  const own = records.filter(({ data }) => data["change_id"] === changeId);
  // The record of the call itself, and one for each policy.
  return own
    .map(({ type, data }) => (type === "audit.config.changes" ? "call" : String(data["name"])))
    .toSorted();
};

const limits = { withinMs: 30_000, everyMs: 200 };

describe("a process that is killed while it applies a change set", () => {
  it(
    "leaves the set whole or not at all, with its announcements and audit records",
    async () => {
      const changes = changesOf(tenant, project);
      const started = performance.now();
      await changes.apply(names.map((name) => putPolicy(name, {}, { description: "at first" })));
      const start = () => startServiceProcess("configs", configs.environment);
      let next = start();
      let usualMs = performance.now() - started;
      let whole = 0;
      let version = 1;
      for (let turn = 0; turn < kills; turn++) {
        const other = await next;
        next = start();
        const description = `turn ${turn}`;
        const changeCount = configs.changes.length;
        const begun = performance.now();
        const answer = changesOf(tenant.at(other.url), project)
          .send(
            names.map((name) => putPolicy(name, {}, { description })),
            { message: description },
          )
          .then(({ status }) => {
            usualMs = performance.now() - begun;
            return status;
          })
          .catch(() => undefined);
        await wait(Math.random() * 2 * usualMs);
        await other.running.end("SIGKILL");
        const status = await answer;
        // The database may still be rolling back, or committing.
        await eventually(
          versions,
          (all) => all.length === names.length && new Set(all.map((each) => each.join())).size === 1,
          limits,
        );
        const change = await newest();
        const [[found = 0, text = ""] = []] = await versions();
        const isApplied = text === description;
        expect({ turn, found }).toEqual({ turn, found: isApplied ? version + 1 : version });
        expect(change?.message === description).toBe(isApplied);
        if (status === 200) expect(isApplied).toBe(true);
        if (!isApplied) continue;
        whole += 1;
        version += 1;
        const id = change?.id ?? "";
        await eventually(
          () => recorded(id),
          (found) => found.length === names.length + 1,
          limits,
        );
        expect(await recorded(id)).toEqual(["call", ...names].toSorted());
        const announced = (): number =>
          new Set(
            configs.changes
              .slice(changeCount)
              .flatMap((each) => (each["project_id"] === project ? [each["id"]] : [])),
          ).size;
        await eventually(announced, (count) => count === names.length, limits);
      }
      await (await next).running.end("SIGKILL");
      process.stdout.write(`${whole} of ${kills} sets were applied before the kill\n`);
    },
    90 * 60_000,
  );
});
