import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ScriptedSuite, type ScriptedRequest } from "../../../test/scripted-suite.ts";

const collection = "authorization-policies";
const policy = (status: string) => ({ policy: '{"meta":{"policy_version":"2.0-kbac"}}', status });

/** A project of one application and of policies, which every editor changes. */
interface Held {
  status: string;
  version: number;
  etag: string;
}
let held: Map<string, Held>;
let application: { description: string; version: number; etag: string };
let etags = 0;
const edit = (name: string, status: string): void => {
  const version = (held.get(name)?.version ?? 0) + 1;
  held.set(name, { status, version, etag: `"${++etags}"` });
};

const exported = () => ({
  project_id: "gid:p",
  export_time: "2026-01-01T00:00:00Z",
  changes: [...held].map(([name, { status }]) => ({ op: "put", collection, name, record: policy(status) })),
  versions: [
    ...[...held].map(([name, { version, etag }]) => ({ collection, name, version, etag })),
    { collection: "applications", name: "tower", version: application.version, etag: application.etag },
  ],
  records: [{ collection: "applications", name: "tower", record: { description: application.description } }],
  secrets: [],
});

interface Sent {
  readonly op: "put" | "delete";
  readonly name: string;
  readonly if_version?: number;
  readonly record?: { readonly status: string };
}

/** As the suite does: every change of a set in the expected state, or none. */
const apply = ({ query, body }: ScriptedRequest): readonly [number, unknown] => {
  const changes = body["changes"] as readonly Sent[];
  const errors = changes.flatMap(({ name, if_version }, at) => {
    const version = held.get(name)?.version ?? 0;
    return if_version === undefined || if_version === version
      ? []
      : [
          `changes[${at}].if_version: authorization policy ${name} has version ${version}, ${if_version} expected`,
        ];
  });
  if (errors.length > 0) return [409, { code: "conflict", message: "Conflict", errors }];
  const dry = query.get("dry_run") === "true";
  const transitions = changes.map(({ op, name, record }) => {
    const from_version = held.get(name)?.version ?? 0;
    if (!dry && op === "put") edit(name, record?.status ?? "");
    if (!dry && op === "delete") held.delete(name);
    return {
      collection,
      id: "gid:a",
      name,
      op,
      from_version,
      to_version: op === "put" ? from_version + 1 : 0,
    };
  });
  const done = { project_id: "gid:p", create_time: "2026-01-01T00:00:00Z", created_by: "gid:me" };
  return [
    200,
    { ...done, changes: transitions, unchanged: [], warnings: [], ...(dry ? {} : { id: "gid:c" }) },
  ];
};

const byEve = (more: object) => [200, { id: "gid:x", updated_by: "gid:eve", ...more }] as const;

let cwd: string;
let suite: ScriptedSuite;
beforeEach(async () => {
  suite = await ScriptedSuite.start();
  cwd = mkdtempSync(join(tmpdir(), "ikg-conflicts-"));
  held = new Map();
  application = { description: "low", version: 1, etag: '"app-1"' };
  edit("may-fly", "ACTIVE");
  suite.answers = {
    "GET /configs/v1/export": () => [200, exported()],
    "POST /configs/v1/changes": apply,
    "GET /configs/v1/authorization-policies/may-fly": () => byEve({ name: "may-fly" }),
    "GET /configs/v1/authorization-policies/may-land": () => byEve({ name: "may-land" }),
    "GET /configs/v1/applications/tower": () => byEve({ name: "tower" }),
    "PUT /configs/v1/applications/gid:x": ({ headers }) =>
      headers["if-match"] === application.etag
        ? [200, { id: "gid:x" }]
        : [
            412,
            {
              message: "Precondition Failed",
              errors: ["If-Match: does not match the record's current ETag; read the record again"],
            },
          ],
    "GET /configs/v1/service-accounts/gid:eve": () => [200, { id: "gid:eve", name: "eve" }],
    "GET /configs/v1/changes": () => [
      200,
      {
        items: [{ created_by: "gid:eve", changes: [{ op: "delete", collection, name: "may-fly" }] }],
        has_more: false,
        next_cursor: "",
      },
    ],
  };
});
afterEach(() => {
  suite.close();
  rmSync(cwd, { recursive: true, force: true });
});

const ikg = (...args: string[]) => suite.run(args, { cwd });
const applying = () => ikg("apply", "files", "--yes", "--no-access");
const planning = () => ikg("plan", "files", "--no-access");
const writePolicy = (name: string, status: string): void => {
  mkdirSync(join(cwd, "files/policies"), { recursive: true });
  writeFileSync(
    join(cwd, `files/policies/${name}.yaml`),
    `policy:\n  meta:\n    policy_version: 2.0-kbac\nstatus: ${status}\n`,
  );
};
const refused = (done: string, since: string, versions: string) => ({
  code: 2,
  output: "",
  errors: `error: ${collection}/${done} by eve since ${since} (${versions}): review it with ikg plan, then apply again\n`,
});
const statusOf = (name: string): string | undefined => held.get(name)?.status;

describe("a second editor between the commands", () => {
  for (const [command, see] of [
    ["ikg plan", planning],
    ["ikg pull", () => ikg("pull", "files")],
  ] as const)
    it(`changes a record after ${command}: it is not overwritten until ikg plan has shown it`, async () => {
      writePolicy("may-fly", "ACTIVE");
      expect((await see()).code).toBe(0);
      edit("may-fly", "INACTIVE");
      writePolicy("may-fly", "DRAFT");
      const fault = refused("may-fly was changed", command, "version 2 found, version 1 expected");
      expect(await applying()).toEqual(fault);
      expect(await applying()).toEqual(fault);
      expect(statusOf("may-fly")).toBe("INACTIVE");
      expect((await planning()).output).toContain("-status: INACTIVE\n+status: DRAFT\n");
      expect((await applying()).code).toBe(0);
      expect(statusOf("may-fly")).toBe("DRAFT");
    });

  it("changes what is not in the change: nothing is in the way", async () => {
    edit("may-land", "ACTIVE");
    writePolicy("may-fly", "DRAFT");
    await planning();
    edit("may-land", "INACTIVE");
    expect((await applying()).code).toBe(0);
    expect([statusOf("may-fly"), statusOf("may-land")]).toEqual(["DRAFT", "INACTIVE"]);
  });

  it("creates, deletes, or creates again", async () => {
    writePolicy("may-fly", "DRAFT");
    writePolicy("may-land", "DRAFT");
    await planning();
    edit("may-land", "ACTIVE");
    const created = refused("may-land was created", "ikg plan", "version 1 found, no record expected");
    expect(await applying()).toEqual(created);
    held.delete("may-land");
    held.delete("may-fly");
    const deleted = refused("may-fly was deleted", "ikg plan", "no record found, version 1 expected");
    expect(await applying()).toEqual(deleted);
    edit("may-fly", "ACTIVE");
    const recreated = refused("may-fly was changed", "ikg plan", "version 1 found, version 1 expected");
    expect(await applying()).toEqual(recreated);
  });

  it("is not who applies: what was applied here is known", async () => {
    await planning().catch(() => undefined);
    for (const status of ["DRAFT", "INACTIVE", "ACTIVE"]) {
      writePolicy("may-fly", status);
      expect((await applying()).code).toBe(0);
    }
    edit("may-fly", "INACTIVE");
    expect(await applying()).toEqual(
      refused("may-fly was changed", "ikg apply", "version 5 found, version 4 expected"),
    );
  });

  it("is not noticed where no command has seen the folder, beyond what apply shows", async () => {
    writePolicy("may-fly", "DRAFT");
    edit("may-fly", "INACTIVE");
    expect((await applying()).output).toContain("-status: INACTIVE\n+status: DRAFT\n");
  });
});

describe("a second editor between what apply reads and what it writes", () => {
  /** The first reading; the editor comes after it. */
  const afterReading = (change: () => void): void => {
    let readings = 0;
    suite.answers = {
      ...suite.answers,
      "GET /configs/v1/export": () => {
        const answer = exported();
        if (++readings === 1) change();
        return [200, answer];
      },
    };
  };

  it("is not overwritten by the change set, nor by a deletion", async () => {
    writePolicy("may-fly", "DRAFT");
    afterReading(() => edit("may-fly", "INACTIVE"));
    expect(await applying()).toEqual(
      refused("may-fly was changed", "this command read it", "version 2 found, version 1 expected"),
    );
    expect(statusOf("may-fly")).toBe("INACTIVE");
    rmSync(join(cwd, "files/policies/may-fly.yaml"));
    afterReading(() => edit("may-fly", "ACTIVE"));
    const { code } = await ikg("apply", "files", "--yes", "--no-access", "--prune");
    expect([code, statusOf("may-fly")]).toEqual([2, "ACTIVE"]);
  });

  it("is not overwritten in project.yaml", async () => {
    mkdirSync(join(cwd, "files"), { recursive: true });
    writeFileSync(join(cwd, "files/project.yaml"), "applications:\n  tower:\n    description: high\n");
    afterReading(() => (application = { description: "middle", version: 2, etag: '"app-2"' }));
    expect((await applying()).errors).toBe(
      "error: applications/tower was changed by eve since this command read it (version 2 found, version 1 expected): review it with ikg plan, then apply again\n",
    );
  });

  it("makes a plan fail, too, which shows the next one", async () => {
    writePolicy("may-fly", "DRAFT");
    afterReading(() => edit("may-fly", "INACTIVE"));
    expect((await planning()).code).toBe(2);
    expect((await planning()).output).toContain("-status: INACTIVE\n+status: DRAFT\n");
  });
});

it("a suite of an older release, which says no versions, is applied to as before", async () => {
  const { versions: _versions, ...older } = exported();
  suite.answers = { ...suite.answers, "GET /configs/v1/export": () => [200, older] };
  writePolicy("may-fly", "DRAFT");
  expect((await planning()).code).toBe(0);
  edit("may-fly", "INACTIVE");
  expect((await applying()).code).toBe(0);
});

it("what cannot be remembered is a warning", async () => {
  writePolicy("may-fly", "ACTIVE");
  writeFileSync(join(cwd, "state"), "");
  const variables = { XDG_STATE_HOME: join(cwd, "state") };
  const { code, errors } = await suite.run(["plan", "files"], { cwd, variables });
  expect([code, errors]).toEqual([
    0,
    expect.stringMatching(
      /^warning: the versions shown here cannot be stored for ikg apply: .*cannot be written/,
    ),
  ]);
  expect(readFileSync(join(cwd, "state"), "utf8")).toBe("");
});
