/** Who answers: the raw driver, the service directly, the gateway, and the other library. */
import type { Driver } from "neo4j-driver";
import { openEvaluations } from "../../../stack/src/measurement/evaluations.ts";
import { openContext } from "../context.ts";
import { callerOf, type Project } from "../project.ts";
import { UserError, type Target } from "../settings.ts";
import { startServerProcess } from "../server-process.ts";
import { byHand, type ByHand, noteText } from "./by-hand.ts";
import { firstDocument, ownerOf } from "./data.ts";
import { type GraphqlServer, withGraphql } from "./graphql.ts";
import type { QueryName } from "./queries.ts";
import { toVariables } from "./server-settings.ts";

/** Writes one new note about a document; answers its id. */
export type WriteNote = (id: string) => Promise<string>;

export interface Service {
  /** @param token the page token, a row offset */
  page(query: QueryName, rows: number, size: number, token?: number): Promise<number>;
  readonly note: WriteNote;
}

type Bare = Pick<ByHand, "page" | "note">;

export interface Ways {
  readonly driver: ByHand;
  /** An HTTP server before the statements by hand: what the way over a service costs. */
  readonly bare: Bare;
  readonly ciq: Service;
  readonly gateway: Service;
  readonly graphql: GraphqlServer;
}

interface Executed {
  readonly data: readonly { readonly nodes: Readonly<Record<string, unknown>> }[];
}

const openService = (baseUrl: string, headers: () => Readonly<Record<string, string>>) => {
  const connection = openEvaluations(baseUrl, 1);
  const execute = async (request: object): Promise<Executed> =>
    (await connection.post("/ciq/v1/execute", headers(), JSON.stringify(request))) as Executed; // by the status
  const service: Service = {
    page: async (id, rows, size, token = 0) => {
      const params = { person: ownerOf(rows) };
      return (await execute({ id, input_params: params, page_size: size, page_token: token })).data.length;
    },
    note: async (note) => {
      const params = { person: ownerOf(1), document: firstDocument, note, text: noteText };
      const { data } = await execute({ id: "note", input_params: params });
      return String(data[0]?.nodes["note.external_id"]);
    },
  };
  return { service, close: () => connection.close() };
};

const bareProgram = new URL("bare-server.ts", import.meta.url);

/** The bare server, for as long as `work` takes. */
const withBare = async <T>(target: Target, pk: string, work: (bare: Bare) => Promise<T>): Promise<T> => {
  const server = await startServerProcess(bareProgram, toVariables(target, pk));
  const connection = openEvaluations(server.url, 1);
  const ask = (question: object) => connection.post("/", {}, JSON.stringify(question));
  try {
    return await work({
      page: async (rows) => ((await ask({ rows })) as { readonly data: readonly object[] }).data, // as it answers
      note: async (note) => ((await ask({ note })) as { readonly note: string }).note, // likewise
    });
  } finally {
    await connection.close();
    await server.stop();
  }
};

/** Every way to an answer, for as long as `work` takes. */
export const withWays = async <T>(
  target: Target,
  driver: Driver,
  { id, pk, agent }: Project,
  work: (ways: Ways) => Promise<T>,
): Promise<T> => {
  if (target.ciq === undefined)
    throw new UserError("UPSTREAM_CIQ is not set: the address of the ciq service.");
  const caller = callerOf(target, id, agent, "ContXIQ");
  const context = await openContext(target, caller, "ciq", ["/ciq/v1/execute"]);
  const ciq = openService(target.ciq, () => context.headers("/ciq/v1/execute"));
  const gateway = openService(target.gateway, () => ({ "x-svc-clientkey": agent.apiKey }));
  try {
    return await withBare(target, pk, (bare) =>
      withGraphql(target, pk, (graphql) =>
        work({ driver: byHand(driver, pk), bare, ciq: ciq.service, gateway: gateway.service, graphql }),
      ),
    );
  } finally {
    context.stop();
    await Promise.all([ciq.close(), gateway.close()]);
  }
};
