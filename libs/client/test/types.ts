/** What the types of the client allow and refuse. The check of types compiles it; nothing of it runs. */
import {
  type Entity,
  Ikg,
  type IkgAdmin,
  IkgError,
  type KnowledgeQueryRecord,
  type Pages,
  type ProblemCode,
  type ResultRow,
  type RowPage,
  StepUpRequired,
  typed,
  type Value,
} from "@ikg/client";
import { authorize, typedAuthorize } from "@ikg/client/express";
import { createTestProject } from "@ikg/client/testing";
import express from "express";
import type { Airfield } from "./airfield.ts";

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Fails to compile unless the types are the same. */
const same = <A, B>(_equal: Equal<A, B>): void => undefined;

const ikg = new Ikg({ baseUrl: new URL("http://127.0.0.1"), clientKey: "k", timeoutMs: 1 });
export const clients = (): readonly Ikg[] => [
  // @ts-expect-error: a key is required
  new Ikg({ baseUrl: "http://127.0.0.1" }),
  // @ts-expect-error: no such option
  new Ikg({ baseUrl: "http://127.0.0.1", clientKey: "k", apiKey: "k" }),
];

const document: Entity = { type: "Document", id: "d" };
const ann = ikg.as({ type: "Person", id: "ann", token: "t" });
// @ts-expect-error: a subject has an id
ikg.as({ type: "Person" });

export const decisions = async (): Promise<void> => {
  same<boolean, Awaited<ReturnType<typeof ann.can>>>(true);
  await ann.can("READ", document, { params: { limit: 1 }, signal: new AbortController().signal });
  // @ts-expect-error: a resource has an id
  await ann.can("READ", { type: "Document" });
  // @ts-expect-error: parameters are options
  await ann.can("READ", document, { limit: 1 });
  const { context } = await ann.decide("READ", document, { explain: true });
  const outcome = context?.explanation?.candidates[0]?.outcome;
  same<NonNullable<typeof outcome> extends string ? true : false, true>(true);
  for await (const { id } of ann.resources("READ", "Document")) same<string, typeof id>(true);
  for await (const { name } of ann.actions(document)) same<string, typeof name>(true);
};

export const queries = async (): Promise<void> => {
  const rows = ikg.query("rated-pilots", { model: "dc3" });
  same<Pages<ResultRow, RowPage<ResultRow>>, typeof rows>(true);
  const own = ikg.withToken("jwt").query("rated-pilots");
  same<typeof rows, typeof own>(true);
  interface Pilot {
    readonly nodes: { readonly "pilot.external_id": string };
  }
  for await (const { nodes } of ikg.query<Pilot>("rated-pilots"))
    same<string, (typeof nodes)["pilot.external_id"]>(true);
};

export const captures = async (): Promise<void> => {
  await ikg.capture.nodes([{ type: "Person", external_id: "ann", properties: [{ type: "age", value: 7 }] }]);
  // @ts-expect-error: a value is a scalar or a list of scalars
  await ikg.capture.nodes([{ type: "Person", external_id: "ann", properties: [{ type: "age", value: {} }] }]);
  // @ts-expect-error: a node has an external id
  await ikg.capture.nodes([{ type: "Person", id: "ann" }]);
  // @ts-expect-error: "skip" or "fail"
  await ikg.capture.relationships([], { onMissing: "ignore" });
  for await (const { status, percent } of ikg.capture.job("gid:1").progress())
    if (status === "done") same<number, typeof percent>(true);
};

export const administration = async (admin: IkgAdmin): Promise<void> => {
  await admin.policies.update("may-fly", (policy) => ({ ...policy, status: "INACTIVE" }));
  // @ts-expect-error: no such status
  await admin.policies.update("may-fly", (policy) => ({ ...policy, status: "OFF" }));
  // @ts-expect-error: an update states the policy
  await admin.policies.update("may-fly", () => ({ status: "INACTIVE" }));
  await admin.policies.create({ name: "may-fly", status: "ACTIVE", policy: { meta: {} } });
  // @ts-expect-error: a status is required
  await admin.policies.create({ name: "may-fly", policy: "{}" });
  same<KnowledgeQueryRecord, Awaited<ReturnType<typeof admin.queries.get>>>(true);
  // @ts-expect-error: credentials are never updated
  await admin.agentCredentials.update("gid:1", () => ({}));
  // @ts-expect-error: only policies and queries have versions
  admin.projects.versions("airfield");
  await admin.projects.update("airfield", (project) => ({ ...project, description: "d" }));
  // @ts-expect-error: agents belong to an application
  await admin.agents.create({ name: "agent", api_permissions: ["Capture"] });
  // @ts-expect-error: no such permission
  await admin.agents.create({ name: "agent", application_id: "gid:1", api_permissions: ["All"] });
  await admin.changes.apply([{ op: "delete", collection: "knowledge-queries", name: "q" }]);
  // What was exported is what can be applied, in another project, too.
  await admin.changes.apply((await admin.export()).changes, { project: "hangar" });
  // @ts-expect-error: only policies and queries change by sets
  await admin.changes.apply([{ op: "delete", collection: "projects", name: "q" }]);
};

export const errors = (error: unknown): ProblemCode | undefined => {
  if (error instanceof StepUpRequired) same<Readonly<Record<string, string>>, typeof error.advice>(true);
  if (!(error instanceof IkgError)) return undefined;
  // @ts-expect-error: no such code
  if (error.code === "forbidden") return undefined;
  return error.code === "not_found" ? undefined : error.code;
};

export const middleware = (): void => {
  const app = express();
  const subject = () => ann;
  app.get(
    "/documents/:id",
    authorize("READ", (request) => ({ type: "Document", id: request.params["id"] }), { subject }),
  );
  app.use(
    authorize<express.Request>("READ", ({ path }) => ({ type: "Page", id: path }), {
      subject: (request) => (request.secure ? ann : undefined),
    }),
  );
  app.get(
    "/files/:id",
    authorize<express.Request>("READ", ({ params }) => ({ type: "File", id: params["id"] }), { subject }),
  );
  // @ts-expect-error: who calls has to be said
  authorize("READ", () => document);
};

export const typedMiddleware = (): void => {
  const client = typed<Airfield>(ikg);
  const subject = () => client.as({ type: "Pilot", id: "amelia" });
  const decide = { params: { min_hours: 100 } };
  const aircraft = ({ params }: { readonly params: Readonly<Record<string, string>> }) => ({
    type: "Aircraft" as const,
    id: params["id"],
  });
  authorize("FLY", aircraft, { subject, decide });
  const typedly = typedAuthorize<Airfield>();
  typedly("FLY", aircraft, { subject, decide });
  typedly("FLY", (request: express.Request) => ({ type: "Aircraft", id: request.params["id"] }), { subject });
  // @ts-expect-error: no such action
  typedly("FLI", aircraft, { subject, decide });
  // @ts-expect-error: no policy is about models
  typedly("FLY", () => ({ type: "Model", id: "dc3" }), { subject, decide });
};

export const testing = async (): Promise<void> => {
  const project = await createTestProject({ policies: "policies", people: "Pilot" });
  same<Ikg, typeof project.ikg>(true);
  await project.remove();
};

/** With the types that `ikg codegen` writes of examples/airfield. */
export const airfield = async (untyped: Ikg): Promise<void> => {
  const client = typed<Airfield>(untyped);
  const amelia = client.as({ type: "Pilot", id: "amelia" });
  const n211 = { type: "Aircraft", id: "N211" } as const;
  await amelia.can("FLY", n211, { params: { min_hours: 100 }, timeoutMs: 1_000 });
  await amelia.can("FLY", { type: "Aircraft", id: "N211" }, { params: { min_hours: 100 } });
  // @ts-expect-error: no such action
  await amelia.can("FLI", n211, { params: { min_hours: 100 } });
  // @ts-expect-error: a parameter is missing
  await amelia.can("FLY", n211, { params: {} });
  // @ts-expect-error: parameters are missing
  await amelia.can("FLY", n211);
  // @ts-expect-error: no policy is about models
  await amelia.can("FLY", { type: "Model", id: "dc3" }, { params: { min_hours: 100 } });
  // @ts-expect-error: no policy is about what models may do
  await client.as({ type: "Model", id: "dc3" }).can("FLY", n211, { params: { min_hours: 100 } });
  // @ts-expect-error: the query has no parameters
  client.query("my-ratings", { model: "dc3" });
  // @ts-expect-error: no such type
  client.as({ type: "Pylot", id: "amelia" });
  for await (const { type } of amelia.resources("FLY", "Aircraft", { params: { min_hours: 1 } }))
    same<"Aircraft", typeof type>(true);
  for await (const { name } of amelia.actions(n211)) same<"FLY", typeof name>(true);
  for await (const { type } of client.subjects("Pilot", "FLY", n211, { params: { min_hours: 1 } }))
    same<"Pilot", typeof type>(true);
  for await (const { nodes } of client.query("rated-pilots", { model: "dc3" })) {
    same<string | null, (typeof nodes)["pilot.external_id"]>(true);
    same<Value | null, (typeof nodes)["pilot.property.hours"]>(true);
  }
  await amelia.query("my-ratings").toArray();
  // @ts-expect-error: a parameter is missing
  client.query("rated-pilots");
  // @ts-expect-error: no such query
  client.query("rated-pylots");
  // @ts-expect-error: it writes, so it is executed
  client.query("sign-agreement", { hours: 1, model: "dc3", number: "A-1", pilot: "amelia" });
  await client.execute("sign-agreement", { hours: 1, model: "dc3", number: "A-1", pilot: "amelia" });
  // @ts-expect-error: it only reads
  await client.execute("my-ratings");
  await client.capture.nodes([
    { type: "Pilot", external_id: "bessie", properties: [{ type: "hours", value: 900 }] },
  ]);
  // @ts-expect-error: hours are a number
  await client.capture.nodes([
    { type: "Pilot", external_id: "b", properties: [{ type: "hours", value: "9" }] },
  ]);
  // @ts-expect-error: pilots have no such property
  await client.capture.nodes([
    { type: "Pilot", external_id: "b", properties: [{ type: "airworthy", value: true }] },
  ]);
  const ends = {
    source: { type: "Pilot", external_id: "bessie" },
    target: { type: "Model", external_id: "dc3" },
  } as const;
  await client.capture.relationships([{ ...ends, type: "RATED_FOR" }]);
  // @ts-expect-error: no such relationship type
  await client.capture.relationships([{ ...ends, type: "RATED" }]);
  await client.withToken("jwt").query("my-ratings").toArray();
  // @ts-expect-error: no such query
  client.withToken("jwt").query("my-rating");
  await client.session().as({ type: "Pilot", id: "amelia" }).query("my-ratings").toArray();
};
