import { IkgAdmin } from "../admin/ikg-admin.ts";
import type { NewApplicationAgent } from "../contract/records.ts";
import { Ikg } from "../ikg.ts";
import { readGraph, readPolicies, readQueries, type TestGraph, type TestQuery } from "./sources.ts";
import { type SuiteAddress, suiteAddress } from "./suite-address.ts";
import { createTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

type Json = Readonly<Record<string, unknown>>;

export interface TestProjectOptions extends Partial<SuiteAddress> {
  /** Begins the name of the project, `test` by default. */
  readonly name?: string | undefined;
  /** Nodes and relationships, or JSON files of them. */
  readonly graph?: TestGraph | string | readonly (TestGraph | string)[] | undefined;
  /** A folder of files `NAME.json`, or policies by name: their content, or a file with it. */
  readonly policies?: string | Readonly<Record<string, string | Json>> | undefined;
  /** Stored queries by name. */
  readonly queries?: Readonly<Record<string, TestQuery>> | undefined;
  /** Node type of people who sign in with `signIn`. */
  readonly people?: string | undefined;
  /** Of the agent; by default all that the client has calls for. */
  readonly permissions?: NewApplicationAgent["api_permissions"] | undefined;
}

export interface TestProject {
  readonly id: string;
  readonly name: string;
  /** With the key of an agent of the project. */
  readonly ikg: Ikg;
  readonly clientKey: string;
  /** About this project. */
  readonly admin: IkgAdmin;
  readonly baseUrl: string;
  /**
   * A token of a person, signed now.
   *
   * @param id external id of the node.
   * @param claims besides, or instead of those that every token has: `auth_time` of an older sign-in, for example.
   */
  signIn(id: string, claims?: Json): Promise<string>;
  /** Removes the project with all that is in it. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const everyPermission = [
  "Authorization",
  "Capture",
  "ContXIQ",
  "ReadAuthZConfigs",
  "ReadDataSchema",
  "ReadGraph",
] as const;

const createAgent = async (
  admin: IkgAdmin,
  permissions: NewApplicationAgent["api_permissions"],
): Promise<string> => {
  const { id: application_id } = await admin.applications.create({ name: "application" });
  const { id: application_agent_id } = await admin.agents.create({
    application_id,
    name: "agent",
    api_permissions: permissions,
  });
  const { application_agent_config: config } = await admin.agentCredentials.create({ application_agent_id });
  if (config === undefined) throw new Error("the suite created a credential and did not show its key");
  return config.token;
};

const trust = async (admin: IkgAdmin, { matcher, publicJwk }: TokenIssuer, people: string): Promise<void> => {
  await admin.introspects.create({
    name: "people",
    ikg_node_type: people,
    jwt_matcher: matcher,
    offline_validation: { public_jwks: [publicJwk] },
  });
};

/** Fills a project. The graph comes last: before it no service has read the project's configuration. */
const fill = async (
  admin: IkgAdmin,
  { baseUrl }: SuiteAddress,
  issuer: TokenIssuer,
  options: TestProjectOptions,
): Promise<{ readonly ikg: Ikg; readonly clientKey: string }> => {
  const { policies = {}, queries = {}, graph = [], people, permissions = everyPermission } = options;
  const changes = [...(await readPolicies(policies)), ...(await readQueries(queries))];
  const { nodes, relationships } = await readGraph(graph);
  const clientKey = await createAgent(admin, permissions);
  if (people !== undefined) await trust(admin, issuer, people);
  if (changes.length > 0) await admin.changes.apply(changes);
  const ikg = new Ikg({ baseUrl, clientKey });
  await ikg.capture.nodes(nodes);
  await ikg.capture.relationships(relationships);
  return { ikg, clientKey };
};

/**
 * Creates a project with a graph, policies and queries, for the tests of an application. It takes no part in schedules, and
 * is to be removed at the end: `await project.remove()`, or `await using`.
 */
export const createTestProject = async (options: TestProjectOptions = {}): Promise<TestProject> => {
  const address = await suiteAddress(options);
  const organization = new IkgAdmin(address);
  const name = `${options.name ?? "test"}-${crypto.randomUUID().slice(0, 13)}`;
  const { id } = await organization.projects.create({ name, purpose: "TEST" });
  // Some deployments refuse a DELETE without `If-Match` (CONFIG_REQUIRE_IF_MATCH).
  const remove = (): Promise<void> => organization.projects.delete(id, { ifMatch: "*" });
  try {
    const admin = new IkgAdmin({ ...address, project: id });
    const issuer = await createTokenIssuer();
    const { ikg, clientKey } = await fill(admin, address, issuer, options);
    return {
      id,
      name,
      ikg,
      clientKey,
      admin,
      baseUrl: address.baseUrl,
      signIn: (person, claims = {}) => {
        if (options.people === undefined)
          throw new TypeError("people: name the node type of people who sign in");
        return issuer.sign(person, claims);
      },
      remove,
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
};
