/** Who answers: the bare driver, the service directly, the gateway, and the other library. */
import { randomBytes } from "node:crypto";
import neo4j, { type Driver } from "neo4j-driver";
import { read } from "../bare.ts";
import { openContext } from "../context.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { openEvaluations } from "../evaluations.ts";
import { type Agent, callerOf } from "../project.ts";
import { Refusal, type Target } from "../settings.ts";
import { firstDocument, ownerOf } from "./data.ts";
import { type GraphqlServer, withGraphql } from "./graphql.ts";
import { handWrittenRead, handWrittenWrite, personKey, type QueryName } from "./queries.ts";

/** A project with what is asked for. */
export interface Project {
  readonly id: string;
  readonly pk: string;
  readonly agent: Agent;
}

/** One page of what a person owns; answers how many rows came. */
export type ReadPage = (rows: number) => Promise<number>;
/** Writes one new note about a document; answers its id. */
export type WriteNote = (id: string) => Promise<string>;

export interface Service {
  /** @param token the page token, a row offset */
  page(query: QueryName, rows: number, size: number, token?: number): Promise<number>;
  readonly note: WriteNote;
}

export interface Ways {
  readonly driver: { readonly read: ReadPage; readonly note: WriteNote };
  readonly ciq: Service;
  readonly gateway: Service;
  readonly graphql: GraphqlServer;
}

const text = "Read and found good.";

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
      const params = { person: ownerOf(1), document: firstDocument, note, text };
      const { data } = await execute({ id: "note", input_params: params });
      return String(data[0]?.nodes["note.external_id"]);
    },
  };
  return { service, close: () => connection.close() };
};

const byDriver = (driver: Driver, pk: string): Ways["driver"] => ({
  read: async (rows) => {
    const params = { person: personKey(pk, ownerOf(rows)), rows: neo4j.int(rows) };
    return (await read(driver, handWrittenRead(pk), params)).length;
  },
  note: async (id) => {
    const session = driver.session({ database: "neo4j" });
    try {
      const { records } = await session.run(handWrittenWrite(pk), {
        person: personKey(pk, ownerOf(1)),
        document: nodeKey(pk, "Document", firstDocument),
        note: nodeKey(pk, "Note", id),
        id,
        gid: `gid:${randomBytes(20).toString("base64url")}`,
        text,
        now: new Date().toISOString(),
      });
      return String(records[0]?.get("id"));
    } finally {
      await session.close();
    }
  },
});

/** Everybody who answers, for as long as `work` takes. */
export const withWays = async <T>(
  target: Target,
  driver: Driver,
  { id, pk, agent }: Project,
  work: (ways: Ways) => Promise<T>,
): Promise<T> => {
  if (target.ciq === undefined) throw new Refusal("UPSTREAM_CIQ is not set: the address of the ciq service.");
  const caller = callerOf(target, id, agent, "ContXIQ");
  const context = await openContext(target.internalContextKey, caller, "ciq");
  const ciq = openService(target.ciq, () => ({ "x-internal-context": context.text() }));
  const gateway = openService(target.gateway, () => ({ "x-svc-clientkey": agent.apiKey }));
  try {
    return await withGraphql(target, pk, (graphql) =>
      work({ driver: byDriver(driver, pk), ciq: ciq.service, gateway: gateway.service, graphql }),
    );
  } finally {
    context.stop();
    await Promise.all([ciq.close(), gateway.close()]);
  }
};
