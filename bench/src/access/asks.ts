/** The ways to ask: the raw driver, the service directly, the gateway. */
import type { Driver } from "neo4j-driver";
import { type Evaluations, openEvaluations } from "../../../stack/src/measurement/evaluations.ts";
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import { read } from "../raw-driver.ts";
import { openContext } from "../context.ts";
import type { Action } from "../drive/answers.ts";
import type { Question } from "../drive/questions.ts";
import { handWritten } from "../drive/rules.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { callerOf, type Project } from "../project.ts";
import type { Target } from "../settings.ts";
import { mostCallers } from "./plan.ts";

const paths = ["/access/v1/evaluation", "/access/v1/evaluations", "/access/v1/search/resource"] as const;

type Path = (typeof paths)[number];

/** A server of `/access/v1`, with the headers that authenticate a call. */
export interface Client {
  readonly evaluate: Ask<{ readonly body: string }>;
  post(path: Path, body: string): Promise<unknown>;
}

export interface Clients {
  access(project: Project): Promise<Client>;
  gateway(project: Project): Client;
  /** A gateway of the measurement's own. */
  at(baseUrl: string, headers: Readonly<Record<string, string>>): Client;
}

const clientOf = (
  connections: Evaluations,
  headers: (path: Path) => Readonly<Record<string, string>>,
): Client => ({
  evaluate: ({ body }) => connections.evaluate(headers("/access/v1/evaluation"), body),
  post: (path, body) => connections.post(path, headers(path), body),
});

/** Clients, open for as long as `work` takes. Those of one address share its connections. */
export const withClients = async <T>(target: Target, work: (clients: Clients) => Promise<T>): Promise<T> => {
  const connections = new Map<string, Evaluations>();
  const stops: (() => void)[] = [];
  const connectionsTo = (baseUrl: string): Evaluations => {
    const found = connections.get(baseUrl) ?? openEvaluations(baseUrl, mostCallers);
    connections.set(baseUrl, found);
    return found;
  };
  const at: Clients["at"] = (baseUrl, headers) => clientOf(connectionsTo(baseUrl), () => headers);
  try {
    return await work({
      at,
      gateway: ({ agent }) => at(target.gateway, { "x-svc-clientkey": agent.apiKey }),
      access: async ({ id, agent }) => {
        const context = await openContext(target, callerOf(target, id, agent), "access", paths);
        stops.push(() => context.stop());
        return clientOf(connectionsTo(target.access), context.headers);
      },
    });
  } finally {
    for (const stop of stops) stop();
    await Promise.all([...connections.values()].map((each) => each.close()));
  }
};

/** Asks the rules of an action one after the other until one grants, each as a statement of its own. */
export const askDriver = (driver: Driver, pk: string, action: Action): Ask<Question> => {
  const texts = handWritten(action, pk);
  return async ({ person, document }) => {
    const params = { subject: nodeKey(pk, "Person", person), resource: nodeKey(pk, "Document", document) };
    for (const text of texts) {
      const [row] = await read<{ granted: boolean }>(driver, text, params);
      if (row?.granted === true) return true;
    }
    return false;
  };
};
