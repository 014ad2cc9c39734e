import { curl, keyHeader } from "../../../snippets/curl.ts";

const ann = { type: "Person", external_id: "ann" };
const atlas = { type: "Book", external_id: "atlas" };

const writes = [
  ["nodes", { nodes: [{ ...ann, properties: [{ type: "name", value: "Ann" }] }, atlas] }],
  ["relationships", { relationships: [{ source: ann, type: "READS", target: atlas }] }],
] as const;

/** Commands that write the first nodes of a project; the key is a variable of the shell. */
export const firstNodesCurl = (baseUrl: string): string =>
  writes.map(([path, body]) => curl(`${baseUrl}/capture/v1/${path}`, [keyHeader], body)).join("\n");
