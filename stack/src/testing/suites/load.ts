/** Load on a running suite through its gateway: every kind of answer that the services behind it give. */
import { asAgent, asServiceAccount, openAdmin, openIkg } from "../../clients.ts";
import type { ClientEnvironment } from "../../environment.ts";
import { sendAtRate } from "../../measurement/send-at-rate.ts";

/** Requests at a time. */
export const callers = 16;

/** A database that was started a moment ago takes long for its first statements; a try at warming, and how many. */
const warmMs = 5_000;
const warmings = 12;

/** A project of its own, so that load affects no other. */
export interface LoadProject {
  readonly id: string;
  readonly applicationId: string;
  readonly apiKey: string;
}

export const makeLoadProject = async (environment: ClientEnvironment, name: string): Promise<LoadProject> => {
  const admin = openAdmin(environment);
  const { organization_id } = environment;
  const { id } = await admin.projects.create({ name: `${name}-${process.pid}`, organization_id });
  const application = await admin.applications.create({ name, project_id: id });
  const agent = await admin.agents.create({
    name,
    application_id: application.id,
    api_permissions: ["Authorization", "Capture", "ContXIQ", "ReadDataSchema", "Audit"],
  });
  const made = await admin.agentCredentials.create({ application_agent_id: agent.id });
  const apiKey = made.application_agent_config?.token;
  if (apiKey === undefined) throw new Error("the creation of a credential has to answer its key");
  // A project has a schema from its first node on.
  await openIkg(environment, { apiKey }).capture.nodes([{ external_id: "p1", type: "Person" }]);
  return { id, applicationId: application.id, apiKey };
};

export const removeLoadProject = (environment: ClientEnvironment, { id }: LoadProject): Promise<void> =>
  openAdmin(environment).projects.delete(id);

const evaluation = {
  subject: { type: "Person", id: "p1" },
  action: { name: "READ" },
  resource: { type: "Document", id: "d1" },
};

const json = (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  "content-type": "application/json",
});

type PrepareBody = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  status: number,
) => PreparedRequest;

const postTo =
  (base: string): PrepareBody =>
  (path, headers, body, status) => ({
    url: `${base}${path}`,
    kind: path.split("/")[1] ?? path,
    init: { method: "POST", headers: json(headers), body: JSON.stringify(body) },
    status,
  });

const readFrom =
  (base: string) =>
  (path: string, kind: string, headers: Readonly<Record<string, string>>): PreparedRequest => ({
    url: `${base}${path}`,
    kind,
    init: { headers },
    status: 200,
  });

/** One request to each of the services behind the gateway, and the answer that a healthy suite gives. */
const requests = (
  { base_url, service_account_token }: ClientEnvironment,
  { id, apiKey }: LoadProject,
): readonly PreparedRequest[] => {
  const post = postTo(base_url);
  const read = readFrom(base_url);
  return [
    post("/access/v1/evaluation", asAgent(apiKey), evaluation, 200),
    // The ciq service reports that no such query is stored there.
    post("/ciq/v1/execute", asAgent(apiKey), { id: "none" }, 404),
    // The mcp service reports that no MCP server is configured there.
    post(`/mcp/v1/${id}`, {}, {}, 404),
    read("/data-schema/v1", "capture", asAgent(apiKey)),
    read(`/audit/v1/checkpoints?project_id=${id}`, "audit", asAgent(apiKey)),
    read(`/configs/v1/projects/${id}`, "configs", asServiceAccount(service_account_token)),
  ];
};

/** Those, and further ones: batches, searches, captures, and reads and writes of the configuration. */
export const everyRequest = (
  environment: ClientEnvironment,
  project: LoadProject,
): readonly PreparedRequest[] => {
  const { base_url, service_account_token } = environment;
  const { id, applicationId, apiKey } = project;
  const post = postTo(base_url);
  const read = readFrom(base_url);
  const agent = asAgent(apiKey);
  const account = asServiceAccount(service_account_token);
  const { subject, action, resource } = evaluation;
  const node = { external_id: "p2", type: "Person" };
  return [
    ...requests(environment, project),
    post("/access/v1/evaluations", agent, { evaluations: [evaluation, evaluation] }, 200),
    post("/access/v1/search/resource", agent, { subject, action, resource: { type: resource.type } }, 200),
    post("/access/v1/search/subject", agent, { subject: { type: subject.type }, action, resource }, 200),
    post("/access/v1/search/action", agent, { subject, resource }, 200),
    post("/capture/v1/nodes", agent, { nodes: [node] }, 200),
    read(`/audit/v1/logs?project_id=${id}`, "audit", agent),
    read(`/configs/v1/authorization-policies?project_id=${id}`, "configs", account),
    {
      url: `${base_url}/configs/v1/applications/${applicationId}`,
      kind: "configs",
      init: {
        method: "PUT",
        headers: json(account),
        body: JSON.stringify({ description: "of the load" }),
      },
      status: 200,
    },
  ];
};

export interface Load {
  readonly sent: number;
  /** What was answered otherwise than a healthy suite does, by kind. */
  readonly failures: ReadonlyMap<string, number>;
}

interface PreparedRequest {
  readonly url: string;
  readonly kind: string;
  readonly init: RequestInit;
  /** of the answer of a healthy suite */
  readonly status: number;
}

const countEach = (all: readonly (string | undefined)[]): Load["failures"] => {
  const failures = new Map<string, number>();
  for (const failure of all)
    if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
  return failures;
};

/** What was answered otherwise than a healthy suite does, if it was. */
const ask = ({ url, init, kind, status }: PreparedRequest): Promise<string | undefined> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status === status ? undefined : `${kind} ${answer.status}`;
    })
    .catch((error: unknown) => `${kind} ${String(error)} (${String((error as Error).cause)})`);

/** Asks from many callers for as long as `goesOn`. */
export const load = async (
  environment: ClientEnvironment,
  project: LoadProject,
  goesOn: () => boolean,
): Promise<Load> => {
  const answers: (string | undefined)[] = [];
  let sent = 0;
  const each = requests(environment, project);
  const caller = async (first: number): Promise<void> => {
    for (let turn = first; goesOn(); turn++) {
      const request = each[turn % each.length];
      if (request === undefined) return;
      sent++;
      answers.push(await ask(request));
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)));
  return { sent, failures: countEach(answers) };
};

/** Asks at a fixed rate until `stop`. @param each what is asked, in turn; default: one request to each service */
export const loadAtRate = async (
  environment: ClientEnvironment,
  project: LoadProject,
  perSecond: number,
  stop: AbortSignal,
  each: readonly PreparedRequest[] = requests(environment, project),
): Promise<Load> => {
  const answers: (string | undefined)[] = [];
  await sendAtRate(
    perSecond,
    () => stop.aborted,
    async (turn) => {
      const request = each[turn % each.length];
      if (request !== undefined) answers.push(await ask(request));
    },
  );
  return { sent: answers.length, failures: countEach(answers) };
};

/** Goes on for a time. */
export const forMs = (ms: number): (() => boolean) => {
  const until = performance.now() + ms;
  return () => performance.now() < until;
};

/** Load for as long as `work` takes. */
export const loadWhile = async (
  environment: ClientEnvironment,
  project: LoadProject,
  work: () => Promise<void>,
): Promise<Load> => {
  let working = true;
  const loading = load(environment, project, () => working);
  try {
    await work();
  } finally {
    working = false;
  }
  return loading;
};

/** Asks until nothing fails any more for a while, so that what fails afterwards is not the start's. */
export const warm = async (environment: ClientEnvironment, project: LoadProject): Promise<void> => {
  for (let turn = 0; turn < warmings; turn++)
    if (failed(await load(environment, project, forMs(warmMs))) === 0) return;
};

export const failed = ({ failures }: Load): number =>
  [...failures.values()].reduce((sum, count) => sum + count, 0);

export const describeLoad = (each: Load): string =>
  `${each.sent} requests, ${[...each.failures].map(([kind, count]) => `${count} × ${kind}`).join(", ") || "none failed"}`;
