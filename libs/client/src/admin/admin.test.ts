import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { failureOf } from "../../test/failure-of.ts";
import { answer, type Behaviour, closeServers, refuse, reset, TestServer } from "../../test/server.ts";
import { Ikg } from "../ikg.ts";
import { IkgAdmin } from "./ikg-admin.ts";

afterEach(closeServers);

const project = "gid:AAAAAgAAAAAAAAAAAAAAAAAAAAI";
const policyId = "gid:AAAACAAAAAAAAAAAAAAAAAAAAAI";

const adminOf = ({ baseUrl }: TestServer, of?: string): IkgAdmin =>
  new IkgAdmin({ baseUrl, token: "t", project: of });

const json = (status: number, body: unknown, etag?: string) =>
  answer(status, body, etag === undefined ? {} : { ETag: etag });

describe("a collection", () => {
  it("finds records by name in the project of the client, which it looks up once", async () => {
    const server = await TestServer.start((response, request) =>
      (request.path.startsWith("/configs/v1/projects")
        ? json(200, { id: project })
        : json(200, { id: policyId, name: "may-fly" }, '"1"'))(response, request),
    );
    const admin = adminOf(server, "airfield");
    await Promise.all([admin.policies.get("may-fly"), admin.policies.get("may-fly", { version: 2 })]);
    await admin.policies.get(policyId);
    const query = `project_id=${encodeURIComponent(project)}`;
    expect(server.received.map(({ path }) => path).toSorted()).toEqual(
      [
        "/configs/v1/projects/airfield",
        `/configs/v1/authorization-policies/may-fly?${query}`,
        `/configs/v1/authorization-policies/may-fly?${query}&version=2`,
        `/configs/v1/authorization-policies/${encodeURIComponent(policyId)}`,
      ].toSorted(),
    );
    expect(server.received[0]?.headers.authorization).toBe("Bearer t");
  });

  it("takes the only project, and asks for a name where there are several", async () => {
    const server = await TestServer.start(
      json(200, { data: [{ id: project }] }),
      json(200, { data: [] }),
      json(200, { data: [{ id: project }, { id: "gid:other" }] }),
    );
    expect(await adminOf(server).policies.list()).toEqual([]);
    const error = await failureOf(adminOf(server).policies.list());
    expect([error.name, error.message]).toEqual(["TypeError", expect.stringContaining("has 2 projects")]);
  });

  it("looks up its project again after a failure", async () => {
    const server = await TestServer.start(
      refuse(404, "Not Found"),
      json(200, { id: project }),
      json(200, { data: [] }),
    );
    const admin = adminOf(server, "airfield");
    expect((await failureOf(admin.policies.list())).code).toBe("not_found");
    expect(await admin.policies.list()).toEqual([]);
  });

  it("creates records in its project, with texts of the language as JSON objects", async () => {
    const server = await TestServer.start(json(201, { id: policyId }));
    const policy = { meta: { policy_version: "2.0-kbac" } };
    await adminOf(server, project).policies.create({ name: "may-fly", status: "ACTIVE", policy });
    await adminOf(server, project).applications.create({ name: "app", project_id: "gid:other" });
    expect(server.received.map(({ json: body }) => body)).toEqual([
      { project_id: project, name: "may-fly", status: "ACTIVE", policy: JSON.stringify(policy) },
      { project_id: "gid:other", name: "app" },
    ]);
  });

  it("writes to its project where the fields name none", async () => {
    const server = await TestServer.start(json(200, { id: policyId, warnings: [] }));
    const { policies } = adminOf(server, project);
    const fields = { name: "p", status: "DRAFT", policy: "{}", project_id: undefined } as const;
    await policies.create(fields);
    await policies.validate(fields);
    expect(server.received.map(({ json: body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({ project_id: project, name: "p", status: "DRAFT", policy: "{}" })),
    );
  });

  it("looks up its project for all calls, whichever of them ends before", async () => {
    const slow: Behaviour = (response, request) =>
      request.path.startsWith("/configs/v1/projects")
        ? void setTimeout(() => json(200, { id: project })(response, request), 100)
        : json(200, { data: [] })(response, request);
    const server = await TestServer.start(slow);
    const admin = adminOf(server, "airfield");
    const [aborted, late, list] = await Promise.all([
      failureOf(admin.policies.list({ signal: AbortSignal.timeout(20) })),
      failureOf(admin.queries.list({ timeoutMs: 30 })),
      admin.applications.list(),
    ]);
    expect([aborted.name, late.message, list]).toEqual(["TimeoutError", "no response within 30 ms", []]);
    expect(server.received).toHaveLength(2);
  });

  it("creates projects in its organization", async () => {
    const server = await TestServer.start(json(200, { id: "gid:organization" }), json(201, { id: project }));
    await adminOf(server).projects.create({ name: "airfield" });
    expect(server.received.map(({ path }) => path)).toEqual([
      "/configs/v1/organizations/current",
      "/configs/v1/projects",
    ]);
    expect(server.received[1]?.json).toEqual({ organization_id: "gid:organization", name: "airfield" });
  });

  it("deletes by name, and in a state", async () => {
    const server = await TestServer.start(json(200, { id: policyId }), json(200, { id: policyId }));
    await adminOf(server, project).policies.delete("may-fly", { ifMatch: '"3"' });
    expect(server.received.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    expect(server.received[1]?.path).toContain(encodeURIComponent(policyId));
    expect(server.received[1]?.headers["if-match"]).toBe('"3"');
  });

  for (const [title, behaviour] of [
    ["503", refuse(503, "x", { "Retry-After": "0" })],
    ["a reset", reset],
  ] as const)
    it(`writes once, also after ${title}`, async () => {
      const calls: readonly ((admin: IkgAdmin) => Promise<unknown>)[] = [
        ({ policies }) => policies.create({ name: "p", status: "DRAFT", policy: "{}" }),
        ({ policies }) => policies.delete(policyId),
        ({ policies }) => policies.rollback(policyId, 1),
        ({ changes }) => changes.apply([{ op: "delete", collection: "authorization-policies", name: "p" }]),
        ({ changes }) => changes.revert("gid:change"),
      ];
      const sent = calls.map(async (call) => {
        const server = await TestServer.start(behaviour, json(200, { id: policyId }));
        await failureOf(call(adminOf(server, project)));
        await delay(200);
        return server.received.length;
      });
      expect(await Promise.all(sent)).toEqual(calls.map(() => 1));
    });

  it("repeats what only reads, also where that is a POST", async () => {
    const busy = refuse(503, "x");
    const server = await TestServer.start(busy);
    const admin = adminOf(server, project);
    const calls = [
      () => admin.policies.list(),
      () => admin.policies.validate({ name: "p", status: "DRAFT", policy: "{}" }),
      () => admin.changes.apply([], { dryRun: true }),
      () => admin.simulations.simulate({ changes: [] }),
      () => admin.simulations.replay({ records: [] }),
    ];
    for (const call of calls) {
      server.received.length = 0;
      server.behave(busy, json(200, { data: [] }));
      await call();
      expect(server.received).toHaveLength(2);
    }
  });
});

/** One record, as configs keeps it: a PUT needs the ETag of its current state. */
const keepsOne = (record: Record<string, unknown>): Behaviour => {
  let version = 1;
  return (response, request) => {
    const etag = `"${version}"`;
    if (request.method === "GET") return json(200, { id: policyId, ...record }, etag)(response, request);
    if (request.headers["if-match"] !== etag) return refuse(412, "Precondition Failed")(response, request);
    version++;
    Object.assign(record, request.json);
    return json(200, { id: policyId, ...record }, `"${version}"`)(response, request);
  };
};

describe("an update", () => {
  it("loses nothing where several writers race", async () => {
    const record = { name: "p", status: "ACTIVE", policy: "{}", tags: [] as string[] };
    const server = await TestServer.start(keepsOne(record));
    const writers = [adminOf(server, project), adminOf(server, project)];
    const tags = Array.from({ length: 40 }, (_, at) => `t${at}`);
    await Promise.all(
      writers.map(async (admin, of) => {
        for (const tag of tags.filter((_, at) => at % 2 === of))
          await admin.policies.update(policyId, (policy) => ({ ...policy, tags: [...policy.tags, tag] }));
      }),
    );
    expect(record.tags.toSorted()).toEqual(tags.toSorted());
  });

  it("of one state is refused in another one, and not repeated", async () => {
    const record = { name: "p", status: "ACTIVE", policy: "{}", tags: [] as string[] };
    const server = await TestServer.start(keepsOne(record));
    const { policies } = adminOf(server, project);
    const tagged = (tag: string) => ({ status: "ACTIVE", policy: "{}", tags: [tag] }) as const;
    await policies.update(policyId, () => tagged("first"), { ifMatch: '"1"' });
    const error = await failureOf(policies.update(policyId, () => tagged("second"), { ifMatch: '"1"' }));
    expect([error.code, record.tags]).toEqual(["precondition_failed", ["first"]]);
    expect(server.received.map(({ method }) => method)).toEqual(["GET", "PUT", "GET", "PUT"]);
  });

  it("is sent once after a failure that is not a 412", async () => {
    for (const behaviour of [refuse(503, "x", { "Retry-After": "0" }), reset]) {
      const read = json(200, { id: policyId, tags: [] }, '"1"');
      const server = await TestServer.start(read, behaviour, read);
      await failureOf(adminOf(server, project).policies.update(policyId, (policy) => policy));
      await delay(200);
      expect(server.received.map(({ method }) => method)).toEqual(["GET", "PUT"]);
    }
  });

  it("has one deadline over all its attempts, and fails with 412", async () => {
    const behaviour: Behaviour = (response, request) =>
      (request.method === "GET" ? json(200, { id: policyId }, '"1"') : refuse(412, "Precondition Failed"))(
        response,
        request,
      );
    const server = await TestServer.start(behaviour);
    const before = performance.now();
    const call = adminOf(server, project).policies.update(policyId, (policy) => policy, { timeoutMs: 500 });
    const error = await failureOf(call);
    expect(["precondition_failed", undefined]).toContain(error.code);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("keeps secrets that a read does not show", async () => {
    const shown = { url: "bolt://db", username: "ikg" };
    const server = await TestServer.start(keepsOne({ name: "p", db_connection: shown }));
    const admin = adminOf(server);
    await admin.projects.update(project, (record) => ({ ...record, description: "of the airfield" }));
    const put = server.received.at(-1)?.json as Record<string, unknown>;
    expect([put["description"], "db_connection" in put]).toEqual(["of the airfield", false]);
    const connection = { ...shown, password: "new" };
    await admin.projects.update(project, (record) => ({ ...record, db_connection: connection }));
    expect(server.received.at(-1)?.json).toMatchObject({ db_connection: connection });
  });

  it("sends nothing when its function fails", async () => {
    const server = await TestServer.start(json(200, { id: policyId }, '"1"'));
    const fails = (): never => {
      throw new Error("no");
    };
    const error = await failureOf(adminOf(server, project).policies.update(policyId, fails));
    expect([error.message, server.received.length]).toEqual(["no", 1]);
  });
});

describe("lists with cursors", () => {
  it("are read to their end, or from a cursor on", async () => {
    const server = await TestServer.start(
      json(200, { items: [{ id: "a" }], has_more: true, next_cursor: "c1" }),
      json(200, { items: [{ id: "b" }], has_more: false, next_cursor: "" }),
    );
    const { changes, audit } = adminOf(server, project);
    expect((await changes.list({ pageSize: 1 }).toArray()).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(server.received.map(({ path }) => path)).toEqual(
      ["", "&cursor=c1"].map(
        (cursor) => `/configs/v1/changes?project_id=${encodeURIComponent(project)}${cursor}&pagesize=1`,
      ),
    );
    await audit.batches({ cursor: "c9" }).toArray();
    expect(server.received.at(-1)?.path).toContain("/audit/v1/logs");
    expect(server.received.at(-1)?.path).toContain("cursor=c9");
  });

  it("end with an error where the next cursor repeats the current one", async () => {
    const server = await TestServer.start(json(200, { items: [], has_more: true, next_cursor: "c" }));
    const error = await failureOf(adminOf(server, project).changes.list().toArray());
    expect([error.name, error.message]).toEqual(["IkgUnreachable", expect.stringContaining("next cursor")]);
    expect(server.received).toHaveLength(2);
  });
});

describe("a response of another server", () => {
  it("is an error of every list", async () => {
    const server = await TestServer.start(json(200, { status: "ok" }));
    const ikg = new Ikg({ baseUrl: server.baseUrl, clientKey: "k" });
    const { capture } = ikg;
    const errors = await Promise.all([
      failureOf(adminOf(server, project).policies.list()),
      failureOf(adminOf(server, project).changes.list().toArray()),
      failureOf(adminOf(server).policies.list()),
      failureOf(ikg.policies()),
      failureOf(capture.imports()),
      failureOf(capture.job("gid:i").rejected().toArray()),
    ]);
    for (const { name, message } of errors)
      expect([name, message]).toEqual(["IkgUnreachable", expect.stringContaining("check baseUrl")]);
  });
});

describe("audit records", () => {
  it("are read by an agent, too, with its key and the gid of its project", async () => {
    const server = await TestServer.start(json(200, { items: [], has_more: false, next_cursor: "" }));
    await new Ikg({ baseUrl: server.baseUrl, clientKey: "k" }).audit(project).batches().toArray();
    const [request] = server.received;
    expect(request?.path).toBe(`/audit/v1/logs?project_id=${encodeURIComponent(project)}`);
    expect(request?.headers["x-svc-clientkey"]).toBe("k");
  });
});

describe("the chain of audit records", () => {
  it("is read the newest first, and with the keys that signed it", async () => {
    const keys = [{ kid: "k1", kty: "EC", alg: "ES256" }];
    const server = await TestServer.start(
      json(200, { items: [], has_more: false, next_cursor: "" }),
      json(200, { keys }),
    );
    const { audit } = adminOf(server, project);
    await audit.batches({ order: "desc" }).toArray();
    expect(await audit.keys()).toEqual({ keys });
    const whose = `project_id=${encodeURIComponent(project)}`;
    expect(server.received.map(({ path }) => path)).toEqual([
      `/audit/v1/logs?${whose}&order=desc`,
      `/audit/.well-known/jwks.json?${whose}`,
    ]);
  });
});

describe("the progress of a simulation", () => {
  const lines =
    (...texts: readonly string[]): Behaviour =>
    async (response) => {
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      for (const text of texts) {
        response.write(text);
        await delay(5);
      }
      response.end();
    };
  const progressOf = async (server: TestServer): Promise<unknown[]> => {
    const seen: unknown[] = [];
    for await (const each of adminOf(server, project).simulations.progress({ changes: [] })) seen.push(each);
    return seen;
  };

  it("comes line by line, whatever pieces it comes in", async () => {
    const server = await TestServer.start(
      refuse(503, "x"),
      lines(
        '{"complete":false',
        ',"milliseconds":1}\n{"complete":fa',
        'lse,"milliseconds":2}\n{"complete":true}',
      ),
    );
    expect(await progressOf(server)).toEqual([
      { complete: false, milliseconds: 1 },
      { complete: false, milliseconds: 2 },
      { complete: true },
    ]);
    expect(server.received[1]?.headers.accept).toBe("application/x-ndjson");
  });

  it("fails by a line that describes the failure", async () => {
    const server = await TestServer.start(
      lines(
        '{"complete":false}\n',
        '{"error":{"status":503,"message":"Service Unavailable","errors":["x: y"]}}\n',
      ),
    );
    const error = await failureOf(progressOf(server));
    expect([error.code, error.errors]).toEqual(["unavailable", ["x: y"]]);
  });

  it("fails where the response breaks off, and frees its socket where the caller stops reading", async () => {
    const broken: Behaviour = (response) => {
      response.writeHead(200).write('{"complete":false}\n');
      setTimeout(() => response.socket?.destroy(), 20);
    };
    const server = await TestServer.start(broken);
    expect((await failureOf(progressOf(server))).name).toBe("IkgUnreachable");
    server.behave((response) => void response.writeHead(200).write('{"complete":false}\n'));
    for await (const each of adminOf(server, project).simulations.progress({ changes: [] })) {
      expect(each.complete).toBe(false);
      break;
    }
    await delay(50);
    expect(server.sockets.size).toBe(0);
  });
});
