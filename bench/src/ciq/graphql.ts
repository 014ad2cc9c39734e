/** `@neo4j/graphql` behind an HTTP server of its own, with rules that say the same. */
import { openHttpConnections } from "../../../stack/src/measurement/http-connections.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { startServerProcess } from "../server-process.ts";
import type { Target } from "../settings.ts";
import { noteText } from "./by-hand.ts";
import { firstDocument, ownerOf } from "./data.ts";
import { personKey } from "./queries.ts";
import { toVariables } from "./server-settings.ts";

export interface GraphqlServer {
  /** One page of what a person owns; answers how many rows came. */
  read(rows: number): Promise<number>;
  /** Writes one new note about a document; answers its id. */
  note(id: string): Promise<string>;
}

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** A person sees herself alone, and so what she owns. */
const readQuery = `query ($rows: Int!) {
  people { documents(limit: $rows, sort: [{ key: ASC }]) { external_id title level } }
}`;

const noteMutation = `mutation ($note: NoteCreateInput!) { createNotes(input: [$note]) { notes { external_id } } }`;

const program = new URL("graphql-server.ts", import.meta.url);

/** The server, for as long as `work` takes. */
export const withGraphql = async <T>(
  target: Target,
  pk: string,
  work: (server: GraphqlServer) => Promise<T>,
): Promise<T> => {
  const server = await startServerProcess(program, toVariables(target, pk));
  const http = openHttpConnections(server.url, 1);
  const send = async (person: string, source: string, variableValues: object) => {
    const body = JSON.stringify({ sub: personKey(pk, person), source, variableValues });
    const { text } = await http.post("/", {}, body);
    const { data, errors } = JSON.parse(text) as Answer; // what the server answers
    if (errors !== undefined || !data) throw new Error(errors?.map(({ message }) => message).join("; "));
    return data;
  };
  try {
    return await work({
      read: async (rows) => {
        const data = await send(ownerOf(rows), readQuery, { rows });
        const [person] = data["people"] as readonly { readonly documents: readonly unknown[] }[]; // as asked
        return person?.documents.length ?? 0;
      },
      note: async (id) => {
        const connect = (key: string) => ({ connect: [{ where: { node: { key: { eq: key } } } }] });
        const note = {
          key: nodeKey(pk, "Note", id),
          external_id: id,
          text: noteText,
          author: connect(personKey(pk, ownerOf(1))),
          about: connect(nodeKey(pk, "Document", firstDocument)),
        };
        const data = await send(ownerOf(1), noteMutation, { note });
        const { notes } = data["createNotes"] as { readonly notes: readonly { external_id: string }[] }; // as asked
        return String(notes[0]?.external_id);
      },
    });
  } finally {
    await http.close();
    await server.stop();
  }
};
