import { randomBytes, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { newGid, defaultOrganizationNames, effectiveLimits } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { neo4jOfTests, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import {
  type IntrospectedProject,
  type Introspection,
  type IntrospectionConfig,
  openIntrospection,
  type Token,
} from "../src/index.ts";

/** Introspection of a service, with its stores, its log and its counters. */
export interface IntrospectionUnderTest {
  readonly introspection: Introspection;
  readonly project: IntrospectedProject["project"];
  readonly graph: Graph;
  readonly redis: Redis;
  /** Message and fields of each line. */
  readonly logged: unknown[];
  /** Names of counters with their labels, one entry for each increment. */
  readonly counted: string[];
  /** Moves the clock of keys and documents, which is not that of tokens. */
  wait(ms: number): void;
  introspect(bearer: string, ...configs: readonly IntrospectionConfig[]): Promise<Token>;
  close(): Promise<void>;
}

export interface Options {
  /** Whose it is; `access` by default. */
  readonly service?: string;
  readonly redisUrl?: string;
  readonly graph?: Graph;
  /** TOKEN_SEALING_KEY, then its former values. */
  readonly keys?: readonly [Uint8Array, ...(readonly Uint8Array[])];
}

const key = Buffer.alloc(32, 7);

const environmentGraph = (): Graph => connectGraph(neo4jOfTests());

const newProject = (): IntrospectedProject["project"] => ({
  id: `project-${randomUUID()}`,
  pk: newProjectKey(randomBytes(8)),
  limits: effectiveLimits(undefined),
  organizationId: newGid("organization"),
  organizationNames: defaultOrganizationNames,
});

export const openIntrospectionUnderTest = ({
  service = "access",
  redisUrl,
  graph: given,
  keys: [current, ...former] = [key],
}: Options = {}): IntrospectionUnderTest => {
  const graph = given ?? environmentGraph();
  const redis = new Redis(redisUrl ?? requireVariable("REDIS_URL"), {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 2_000,
  });
  redis.on("error", () => undefined);
  const project = newProject();
  const logged: unknown[] = [];
  const counted: string[] = [];
  let offset = 0;
  const introspection = openIntrospection({
    service,
    settings: {
      TOKEN_CLOCK_SKEW_SECONDS: 60,
      EGRESS_ALLOW_HTTP: true,
      EGRESS_ALLOW_HOSTS: [],
      EGRESS_ALLOW_CIDRS: ["127.0.0.0/8"],
      TOKEN_SEALING_KEY: current,
      TOKEN_SEALING_FORMER_KEYS: former,
    },
    graph,
    redis,
    metrics: {
      counter: (name) => ({ inc: (labels) => void counted.push([name, ...Object.values(labels)].join(" ")) }),
    },
    log: { warn: (message, fields) => void logged.push([message, fields]) },
    now: () => Date.now() + offset,
  });
  return {
    introspection,
    project,
    graph,
    redis,
    logged,
    counted,
    wait: (ms) => {
      offset += ms;
    },
    introspect: (bearer, ...introspects) =>
      introspection.introspect(bearer, { project, introspects }, Date.now()),
    close: async () => {
      await introspection.close();
      redis.disconnect();
      if (given === undefined) await graph.close();
    },
  };
};

/** A configuration with an id of its own. */
export const configOf = (fields: Partial<IntrospectionConfig>): IntrospectionConfig => ({
  id: `config-${randomUUID()}`,
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: "project",
  claimsMapping: {},
  subClaim: "sub",
  nodeType: "Person",
  performUpsert: false,
  ...fields,
});
