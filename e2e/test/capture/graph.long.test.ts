import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgError, type IkgAdmin, type NodeSummary } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { make } from "../../src/configuration/collections.ts";
import { createParents, type Parents, removeParents } from "../../src/configuration/parents.ts";
import { blocks } from "../../src/documentation/pasted.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";
import { freshName } from "../../src/fresh-name.ts";
import { asAccount, type Account } from "../../src/requests/account.ts";
import { type AuditRecord, auditRecordsOf } from "../../src/requests/audit-records.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { ownAccount } from "../../src/requests/configs.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { send } from "../../src/requests/send.ts";
import { createOrganization } from "../../src/suites/start-beside.ts";

/** Administrators look at the graph of a project through the gateway, by the client and by `ikg`. */
const spokes = 5_000;

/** Escaping, the order of texts and the normalization of paths are different for each of these. */
const hostileIds = [
  ".",
  "..",
  "../../configs/v1/projects",
  "a/b",
  "%2F",
  "a?project_id=x#y",
  "' OR 1=1 //",
  "` DETACH DELETE n",
  "\\u0060",
  "é",
  "e\u0301",
  "\ud7ff",
  "\ue000",
  "\uffee",
  "\u{1f600}",
  "\u{10ffff}",
  "x".repeat(256),
  "\u{1f600}".repeat(256),
];

let account: Account;
let stranger: Account & { remove(): Promise<void> };
let parents: Parents;
let theirs: Parents;
let admin: IkgAdmin;

const ref = (type: string, external_id: string) => ({ type, external_id });
const hub = ref("Hub", "hub");

const captureGraph = async (): Promise<void> => {
  const { capture } = openIkg({ key: parents.key });
  const ends = Array.from({ length: spokes }, (_, at) => ref("Spoke", `s${at}`));
  await capture.nodes([
    hub,
    ...hostileIds.map((id) => ({ ...ref("Odd", id), properties: [{ type: "mine", value: id }] })),
    ...ends,
  ]);
  await capture.relationships([
    ...ends.map((target) => ({ source: hub, type: "HOLDS", target })),
    ...hostileIds.map((id) => ({ source: ref("Odd", id), type: "SEES", target: hub })),
  ]);
};

beforeAll(async () => {
  account = ownAccount();
  stranger = await createOrganization();
  parents = await createParents(account, freshName("graph"));
  theirs = await createParents(stranger, freshName("graph"));
  await captureGraph();
  await openIkg({ key: theirs.key }).capture.nodes([ref("Hub", "hub"), ref("Hub", "secret")]);
  admin = openAdmin(parents.projectId, account);
}, 120_000);

afterAll(async () => {
  if (parents) await removeParents(account, parents);
  if (theirs) await removeParents(stranger, theirs);
  await stranger?.remove();
}, 60_000);

const statusOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof IkgError) return error.status;
      throw error;
    },
  );

const idsOf = (nodes: readonly NodeSummary[]): string[] => nodes.map(({ external_id }) => external_id);

describe("the graph of a project", () => {
  it.each([1, 7, 500])("has hostile ids, each once, in pages of %d", async (pageSize) => {
    const found = await admin.graph.nodes({ type: "Odd", pageSize }).toArray();
    expect(idsOf(found).toSorted()).toEqual(hostileIds.toSorted());
  });

  it("shows each of them whole, with its neighbours", async () => {
    for (const id of hostileIds) {
      const node = await admin.graph.node(ref("Odd", id));
      expect([node.external_id, node.properties[0]?.value, node.properties[0]?.type]).toEqual([
        id,
        id,
        "mine",
      ]);
      const [only, ...more] = await admin.graph.neighbours(ref("Odd", id)).toArray();
      expect([only?.relationship.type, only?.node.external_id, more]).toEqual(["SEES", "hub", []]);
    }
  });

  it("is searched by the beginning of an id", async () => {
    const found = await admin.graph.nodes({ type: "Spoke", prefix: "s499", pageSize: 3 }).toArray();
    expect(idsOf(found)).toEqual(["s499", ...Array.from({ length: 10 }, (_, at) => `s499${at}`)]);
    expect(await admin.graph.nodes({ type: "Odd", prefix: "\u{1f600}\u{1f600}" }).toArray()).toHaveLength(1);
  });

  it("has a hub of many neighbours in bounded pages", async () => {
    const ids = new Set<string>();
    for await (const { items } of admin.graph.neighbours(hub, { direction: "out", pageSize: 500 }).pages()) {
      expect(items.length).toBeLessThanOrEqual(500);
      for (const { node } of items) ids.add(node.external_id);
    }
    expect(ids.size).toBe(spokes);
    const seers = await admin.graph.neighbours(hub, { types: ["SEES"], direction: "in" }).toArray();
    expect(idsOf(seers.map(({ node }) => node)).toSorted()).toEqual(hostileIds.toSorted());
  }, 60_000);

  it("hides the nodes of the platform", async () => {
    const types = new Set((await admin.graph.nodes({ pageSize: 500 }).toArray()).map(({ type }) => type));
    expect([...types].toSorted()).toEqual(["Hub", "Odd", "Spoke"]);
    expect(await statusOf(admin.graph.node(ref("_Application", parents.applicationId)))).toBe(404);
    expect(await statusOf(admin.graph.node(ref("Hub", "secret")))).toBe(404);
  });
});

describe("access to graph reads", () => {
  it("ends at the organization: the project of another one does not exist for it", async () => {
    const project = theirs.projectId;
    for (const work of [
      admin.graph.nodes({ project }).toArray(),
      admin.graph.node(ref("Hub", "hub"), { project }),
      admin.graph.neighbours(ref("Hub", "hub"), { project }).toArray(),
    ])
      expect(await statusOf(work)).toBe(404);
    expect(idsOf(await openAdmin(theirs.projectId, stranger).graph.nodes().toArray())).toEqual([
      "hub",
      "secret",
    ]);
  });

  it("needs a role that sees data, and the token of an administrator", async () => {
    const { id } = await make(account, "/service-accounts", {
      organization_id: account.organizationId,
      name: freshName("looker"),
    });
    const credential = await make(account, "/service-account-credentials", { service_account_id: id });
    const { token } = credential["service_account_config"] as { token: string };
    const scope = { subject: { service_account_id: id }, project_id: parents.projectId };
    const looker = openAdmin(parents.projectId, { token });
    await make(account, "/role-bindings", { ...scope, role: "editor" });
    const status = (): Promise<number> => statusOf(looker.graph.node(hub));
    await eventually(status, (each) => each === 403);
    await make(account, "/role-bindings", { ...scope, role: "data_viewer" });
    await eventually(status, (each) => each === 200);
    expect((await looker.graph.node(hub)).external_id).toBe("hub");
    const path = `/graph/v1/nodes?project_id=${parents.projectId}`;
    requireRefusal(await send(path, { headers: { "X-SVC-ClientKey": parents.key } }), 401);
    await asAccount(account, `/service-accounts/${id}`, { method: "DELETE" });
  });

  it("leaves an audit record of each look, also of one at nothing", async () => {
    expect(await statusOf(admin.graph.node(ref("Hub", "nobody")))).toBe(404);
    await admin.graph.nodes({ type: "Hub", prefix: "h" }).toArray();
    await admin.graph.neighbours(ref("Odd", "é"), { types: ["SEES"], direction: "out" }).toArray();
    const expected = [
      {
        status: 404,
        outcome: "failed",
        data: { read: "node", type: "Hub", external_id: "nobody", count: 0 },
      },
      { status: 200, outcome: "success", data: { read: "nodes", type: "Hub", prefix: "h", count: 1 } },
      {
        status: 200,
        outcome: "success",
        data: {
          read: "neighbours",
          type: "Odd",
          external_id: "é",
          relationship_types: ["SEES"],
          direction: "out",
          count: 1,
        },
      },
    ];
    const isOf = (data: object) => (record: AuditRecord) =>
      record.type === "audit.graph.read" && isDeepStrictEqual(record.data, data);
    const records = await auditRecordsOf(account, parents.projectId, (all) =>
      expected.flatMap(({ data }) => (all.some(isOf(data)) ? [] : [JSON.stringify(data)])),
    );
    for (const each of expected)
      expect(records.find(isOf(each.data))).toMatchObject({ ...each, actor: { type: "service_account" } });
  }, 90_000);
});

describe("ikg graph", () => {
  let shell: AirfieldShell;
  beforeAll(async () => {
    shell = await openAirfieldShell();
  }, 120_000);
  afterAll(() => shell?.remove());

  const outputOf = async (command: string): Promise<string> => {
    const { code, output, errors } = await shell.run(command);
    expect([code, errors]).toEqual([0, ""]);
    return output;
  };

  it("lists nodes, shows one, and its neighbours", async () => {
    expect(await outputOf("ikg graph nodes Pilot --output csv | cut -d, -f1,2")).toBe(
      "TYPE,ID\nPilot,amelia\nPilot,louis\n",
    );
    expect(await outputOf("ikg graph node Pilot/amelia")).toMatch(/^property\.hours +1200$/m);
    expect(
      await outputOf(
        "ikg graph neighbours Pilot/amelia --output ndjson | jq -c '[.relationship.type, .node.type]'",
      ),
    ).toBe('["RATED_FOR","Model"]\n');
    const absent = await shell.run("ikg graph node Pilot/nobody");
    expect([absent.code, absent.output, absent.errors]).toEqual([
      2,
      "",
      expect.stringContaining("node: not found"),
    ]);
  });

  it("prints what docs/graph.md says", async () => {
    const script = blocks("docs/graph.md", "Look at a graph").replace(/^ikg\(\).*\n/m, "");
    const output = await outputOf(script);
    expect(output).toContain("Aircraft");
    expect(output).toMatch(/^property\.hours +1200$/m);
    expect(output).toMatch(/^in +IS +Aircraft/m);
  });
});
