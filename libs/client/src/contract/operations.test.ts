import { afterEach, describe, expect, it } from "@jest/globals";
import {
  type Operation,
  operations,
  recordDescriptions,
  ChangeSet,
  DeleteMetadataRequest,
  DeleteNodePropertiesRequest,
  DeleteNodesRequest,
  DeleteRelationshipPropertiesRequest,
  DeleteRelationshipsRequest,
  EvaluationRequest,
  EvaluationsRequest,
  ExecuteRequest,
  PutNodeRequest,
  ReplayRequest,
  RevertRequest,
  RollbackRequest,
  SearchActionRequest,
  SearchResourceRequest,
  SearchSubjectRequest,
  SimulationRequest,
  UpsertNodesRequest,
  UpsertRelationshipsRequest,
} from "@ikg/contracts";
import type { z } from "zod";
import { answer, type Behaviour, closeServers, type Received, TestServer } from "../../test/server.ts";
import { collections, type CollectionDescription } from "../admin/collections.ts";
import { IkgAdmin } from "../admin/ikg-admin.ts";
import { Ikg } from "../ikg.ts";

/** The calls of the client, held against the table of operations and the schemas that the services parse with. */
afterEach(closeServers);

const gid = (kind: number, at = 1): string => {
  const bytes = Buffer.alloc(20, at);
  bytes.writeUInt32BE(kind, 0);
  return `gid:${bytes.toString("base64url")}`;
};
const project = gid(2);

const schemas: Readonly<Record<string, z.ZodType>> = {
  apply_changes: ChangeSet,
  delete_node_metadata: DeleteMetadataRequest,
  delete_node_properties: DeleteNodePropertiesRequest,
  delete_nodes: DeleteNodesRequest,
  delete_relationship_properties: DeleteRelationshipPropertiesRequest,
  delete_relationships: DeleteRelationshipsRequest,
  evaluate: EvaluationRequest,
  evaluate_batch: EvaluationsRequest,
  execute: ExecuteRequest,
  put_node: PutNodeRequest,
  replay: ReplayRequest,
  revert_change: RevertRequest,
  rollback_authorization_policy: RollbackRequest,
  rollback_knowledge_query: RollbackRequest,
  search_action: SearchActionRequest,
  search_resource: SearchResourceRequest,
  search_subject: SearchSubjectRequest,
  simulate: SimulationRequest,
  upsert_nodes: UpsertNodesRequest,
  upsert_relationships: UpsertRelationshipsRequest,
};

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);

/** The most particular operation of a request. */
const operationOf = ({ method, path }: Received): Operation | undefined =>
  operations
    .filter((each) => each.method === method.toLowerCase() && patternOf(each).test(path.split("?")[0] ?? ""))
    .toSorted((one, other) => one.path.split(":").length - other.path.split(":").length)[0];

/** A success of any operation. */
const succeeds: Behaviour = (response, request) => {
  const body = request.json as Record<string, unknown[]> | undefined;
  const items = body?.["nodes"] ?? body?.["relationships"] ?? [];
  const evaluations = body?.["evaluations"]?.map(() => ({ decision: true }));
  answer(200, {
    id: gid(8),
    status: "done",
    decision: true,
    evaluations,
    data: [],
    items: [],
    results: items.map(() => ({ id: "x" })),
  })(response, request);
};

const callDataPlane = async ({ baseUrl }: TestServer): Promise<void> => {
  const ikg = new Ikg({ baseUrl, clientKey: "k" });
  const ann = ikg.as({ type: "Person", id: "ann", token: "t" });
  const resource = { type: "Document", id: "d", properties: { a: 1 } };
  const options = { params: { limit: 1 }, tags: ["a"], context: { ip: "::1" }, explain: true };
  await ann.can({ name: "READ", properties: { b: 2 } }, resource, options);
  await Promise.all([ann.decide("READ", resource, options), ann.decide("WRITE", resource, options)]);
  const search = { ...options, pageSize: 10 };
  await ann.resources("READ", { type: "Document", properties: {} }, search).toArray();
  await ann.actions(resource, search).toArray();
  await ikg.subjects("Person", "READ", resource, search).toArray();
  await ann.query("q", { model: "dc3", list: [1, 2] }, { pageSize: 5, pageBytes: 10_000 }).toArray();
  await ikg.query("q").toArray();
  await ann.execute("q");
  await ikg.execute("q");
  await ann.whoami();
  await ikg.policies("Person");
  await ikg.dataSchema();
  await ikg.audit(project).batches().toArray();
};

const callCapture = async ({ baseUrl }: TestServer): Promise<void> => {
  const { capture } = new Ikg({ baseUrl, clientKey: "k" });
  const person = { type: "Person", external_id: "ann" };
  const metadata = { source: "s", assurance_level: 2, custom_metadata: { a: [1] } } as const;
  const node = {
    ...person,
    is_identity: true,
    labels: ["Member"],
    properties: [{ type: "age", value: 7, metadata }],
  };
  const relationship = { source: person, target: person, type: "KNOWS" };
  await capture.nodes([node]);
  await capture.putNode(gid(20), { labels: ["Member"] });
  await capture.relationships([{ ...relationship, properties: [{ type: "since", value: 1 }] }], {
    onMissing: "skip",
    useGlobalDb: true,
  });
  await capture.deleteNodes([person]);
  await capture.deleteNodeProperties([{ ...person, property_types: ["age"] }]);
  await capture.deleteNodeMetadata([{ ...person, property_type: "age", metadata_fields: ["source"] }]);
  await capture.deleteRelationships([relationship]);
  await capture.deleteRelationshipProperties([{ ...relationship, property_types: ["since"] }]);
  const job = await capture.import([{ node }, { relationship }]);
  await job.finished();
  await job.rejected().toArray();
  await job.cancel();
  await capture.imports();
  const lines = capture.export({ types: ["Person"] });
  await lines.next();
  await lines.return({ nodes: 0, relationships: 0 });
};

const callAdmin = async ({ baseUrl }: TestServer): Promise<void> => {
  const admin = new IkgAdmin({ baseUrl, token: "t", project });
  for (const name of Object.keys(collections) as (keyof typeof collections)[]) {
    const collection = admin[name];
    await collection.list();
    await collection.get(gid(8));
    await collection.create({ name: "n" } as never); // fields are judged by the suite
    if ("update" in collection) await collection.update(gid(8), () => ({ status: "ACTIVE" }) as never);
    await collection.delete(gid(8));
  }
  for (const collection of [admin.policies, admin.queries]) {
    await collection.validate({ name: "n" } as never, { preview: true, sample: { subject: { id: "a" } } });
    await collection.versions(gid(8)).toArray();
    await collection.rollback(gid(8), 2, { message: "again" });
  }
  const record = { policy: { meta: {} }, status: "ACTIVE" } as const;
  const changes = [{ op: "put", collection: "authorization-policies", name: "may-fly", record }] as const;
  await admin.changes.apply(changes, { message: "m" });
  await admin.changes.list().toArray();
  await admin.changes.get(gid(23));
  await admin.changes.revert(gid(23), { force: true });
  await admin.export();
  await admin.administrator();
  await admin.status();
  await admin.organization();
  await admin.simulations.simulate({ changes, inputs: { input_params: { a: 1 } } });
  await admin.simulations.replay({
    records: [{ id: "r", type: "audit.authorization.evaluation", project_id: project, data: {} }],
  });
  await admin.audit.batches().toArray();
  await admin.audit.manifests().toArray();
  await admin.audit.checkpoints().toArray();
  await admin.graph.nodes({ type: "Person", prefix: "a" }).toArray();
  await admin.graph.node({ type: "Person", external_id: "ann" });
  await admin.graph.neighbours({ type: "Person", external_id: ".." }, { types: ["KNOWS"] }).toArray();
};

describe("the calls of the client", () => {
  it("are the operations of the contract, all of them, with bodies that the services take", async () => {
    const server = await TestServer.start(succeeds);
    await callDataPlane(server);
    await callCapture(server);
    await callAdmin(server);
    const called = new Set<Operation>();
    for (const request of server.received) {
      const operation = operationOf(request);
      if (operation === undefined) throw new Error(`${request.method} ${request.path} is no operation`);
      called.add(operation);
      const body = schemas[operation.operation]?.safeParse(request.json);
      expect([operation.operation, body?.error?.issues ?? []]).toEqual([operation.operation, []]);
    }
    const missing = operations
      .filter((operation) => !called.has(operation))
      .map(({ operation, method }) => `${method} ${operation}`);
    // A PUT of nodes is the same as a POST; an organization is that of the token.
    expect(missing).toEqual(["get read_organization", "put upsert_nodes"]);
  });

  it("know every collection", () => {
    const known: readonly CollectionDescription[] = Object.values(collections);
    const described = recordDescriptions.map(({ path, scope, parent, fields }) => {
      const entries = Object.entries(fields);
      const language = entries.find(([, field]) => field.storedIn === "text")?.[0];
      const masked = entries
        .filter(([, { maskForRead, update }]) => maskForRead !== undefined && update === "kept")
        .map(([name]) => name);
      return {
        path,
        scope,
        parent: parent.field,
        ...(language !== undefined && { language }),
        ...(masked.length > 0 && { masked }),
      };
    });
    const byPath = (one: CollectionDescription, other: CollectionDescription) =>
      one.path.localeCompare(other.path);
    expect(known.toSorted(byPath)).toEqual(described.toSorted(byPath));
  });
});
