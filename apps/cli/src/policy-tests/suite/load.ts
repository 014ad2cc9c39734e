import { DiagnosticList, type Place } from "@ikg/sources";
import type { GraphItem } from "../file/read-graph.ts";
import type { World } from "../file/world.ts";
import { inParallel } from "../run/in-parallel.ts";
import { type Issuer, matcherOf } from "./issuer.ts";
import type { ResolverServer } from "./resolver-server.ts";
import { type Answer, expectSuccess, refusalOf, type Suite } from "./suite.ts";
import type { TestProjects } from "./test-projects.ts";

/** A world that was loaded into its own project. */
export interface LoadedWorld {
  readonly project: string;
  /** For X-SVC-ClientKey. */
  readonly apiKey: string;
}

/** The dependencies of loading worlds. */
export interface Loader {
  readonly suite: Suite;
  readonly projects: TestProjects;
  readonly issuer: Issuer;
  readonly resolvers: ResolverServer;
}

/** The suite rejected the world; errors have positions in the file. */
export class WorldRefused extends Error {
  override readonly name = "WorldRefused";
  readonly faults: DiagnosticList;

  constructor(faults: DiagnosticList) {
    super("the suite rejected the world");
    this.faults = faults;
  }
}

const batch = 250;
const maxConcurrentRecords = 4;

const errorsOf = ({ body }: Answer): readonly string[] => {
  const { errors } = (body ?? {}) as { errors?: readonly string[] }; // the envelope of errors
  return errors ?? [];
};

/** Whether the suite rejected the content of a request, which is an error of the file. */
const isRejected = ({ status }: Answer): boolean => status === 400 || status === 409 || status === 422;

const createKey = async ({ suite }: Loader, project: string): Promise<string> => {
  const make = async (path: string, body: object) =>
    expectSuccess(`a record for tests (${path})`, await suite.configs("POST", path, body));
  const application = await make("/applications", { name: "policy-tests", project_id: project });
  const agent = await make("/application-agents", {
    name: "policy-tests",
    application_id: application["id"],
    api_permissions: ["Authorization", "Capture", "ContXIQ", "ReadAuthZConfigs"],
  });
  const credential = await make("/application-agent-credentials", { application_agent_id: agent["id"] });
  return (credential["application_agent_config"] as { token: string }).token; // only returned on creation
};

const capture = async (
  { suite }: Loader,
  apiKey: string,
  list: "nodes" | "relationships",
  items: readonly GraphItem[],
  faults: DiagnosticList,
): Promise<void> => {
  for (let start = 0; start < items.length; start += batch) {
    const part = items.slice(start, start + batch);
    const answer = await suite.send(
      "POST",
      `/capture/v1/${list}`,
      { "x-svc-clientkey": apiKey },
      { [list]: part.map(({ body }) => body) },
    );
    if (!isRejected(answer)) {
      expectSuccess("the graph", answer);
      continue;
    }
    const [first] = part;
    for (const error of errorsOf(answer)) {
      const item = part[Number(/\[(\d+)\]/.exec(error)?.[1] ?? 0)] ?? first;
      if (item !== undefined) faults.add(item.place, error);
    }
  }
};

/** Creates a record of the file. */
const createRecord = async (
  { suite }: Loader,
  path: string,
  body: object,
  place: (fault: string) => Place,
  faults: DiagnosticList,
): Promise<string | undefined> => {
  const answer = await suite.configs("POST", path, body);
  if (!isRejected(answer)) return String(expectSuccess(path, answer)["id"]);
  const errors = errorsOf(answer);
  for (const error of errors.length > 0 ? errors : [refusalOf(answer)]) faults.add(place(error), error);
  return undefined;
};

const createRules = async (
  loader: Loader,
  project: string,
  world: World,
  faults: DiagnosticList,
): Promise<void> => {
  const ids = new Map<string, string | undefined>();
  await inParallel(
    world.policies,
    maxConcurrentRecords,
    async ({ name, status, tags, text, placeOfFault }) => {
      const body = { name, project_id: project, status, tags, policy: text };
      ids.set(name, await createRecord(loader, "/authorization-policies", body, placeOfFault, faults));
    },
  );
  await inParallel(
    world.queries,
    maxConcurrentRecords,
    async ({ name, status, policy, text, placeOfFault }) => {
      const policy_id = ids.get(policy);
      if (policy_id === undefined) return;
      const body = { name, project_id: project, status, policy_id, query: text };
      await createRecord(loader, "/knowledge-queries", body, placeOfFault, faults);
    },
  );
};

const createIntrospects = async (
  loader: Loader,
  project: string,
  world: World,
  faults: DiagnosticList,
): Promise<void> => {
  const matchers = new Map(world.people.map((person) => [JSON.stringify(matcherOf(person)), person]));
  for (const [index, person] of [...matchers.values()].entries())
    await createRecord(
      loader,
      "/token-introspects",
      {
        name: `policy-tests-${index + 1}`,
        project_id: project,
        jwt_matcher: matcherOf(person),
        offline_validation: { public_jwks: [loader.issuer.publicJwk] },
        ikg_node_type: person.type,
      },
      () => person.place,
      faults,
    );
};

const createResolvers = async (
  loader: Loader,
  project: string,
  world: World,
  faults: DiagnosticList,
): Promise<void> => {
  for (const resolver of world.resolvers) {
    const record = {
      method: "GET",
      request_content_type: "JSON",
      response_content_type: "JSON",
      ...resolver.record,
      name: resolver.name,
      project_id: project,
      url: loader.resolvers.register(resolver),
    };
    await createRecord(loader, "/external-data-resolvers", record, () => resolver.place, faults);
  }
};

/**
 * Loads a world into a new project.
 *
 * @throws WorldRefused with the errors of the file; CommandFault if the suite cannot be used. The project is removed in both cases.
 */
export const loadWorld = async (loader: Loader, world: World): Promise<LoadedWorld> => {
  const faults = new DiagnosticList();
  const project = await loader.projects.create(`Policy tests: ${world.name}`.slice(0, 254));
  const graph = async (): Promise<string> => {
    const apiKey = await createKey(loader, project);
    await capture(loader, apiKey, "nodes", world.graph.nodes, faults);
    if (faults.isEmpty) await capture(loader, apiKey, "relationships", world.graph.relationships, faults);
    return apiKey;
  };
  const settled = await Promise.allSettled([
    graph(),
    createRules(loader, project, world, faults),
    createIntrospects(loader, project, world, faults),
    createResolvers(loader, project, world, faults),
  ]);
  const failed = settled.find((each) => each.status === "rejected");
  const [key] = settled;
  if (failed === undefined && faults.isEmpty && key.status === "fulfilled")
    return { project, apiKey: key.value };
  await loader.projects.remove(project);
  if (failed !== undefined) throw failed.reason;
  throw new WorldRefused(faults);
};
