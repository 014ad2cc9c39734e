import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { keyRing, seal } from "@ikg/secrets";
import { connectionPlace } from "../records/connection.ts";
import { followSystemNodes } from "./system-nodes.ts";

const keys = keyRing(Buffer.alloc(32, 1));

it("reads the number of the last change before the records that it stands for", async () => {
  const texts: string[] = [];
  const read = async (text: string) => {
    texts.push(text);
    return [];
  };
  const graph = { shared: { read } } as unknown as Graph; // a project that is not behind needs no more
  await followSystemNodes({ graph, keys, collections: new Map() }, newGid("project"));
  expect(texts).toEqual([expect.stringMatching(/\bWITH p\.\w+ AS generation\b.*\bOPTIONAL MATCH\b/)]);
});

it("numbers changes on from the claim of a database that is ahead, as after a restore", async () => {
  const id = newGid("project");
  const data = JSON.stringify({ db_connection: seal(keys, connectionPlace(id), "{}") });
  let generation = 5;
  const written: unknown[] = [];
  const graph = {
    shared: {
      read: async () => [{ generation, data, records: [] }],
      write: (work: (tx: object) => Promise<unknown>) =>
        work({
          run: async (_text: string, params: { readonly later?: number }) => {
            written.push(params);
            generation = params.later ?? generation;
            return [{ id }];
          },
        }),
    },
    of: () => ({
      write: (work: (tx: object) => Promise<unknown>) =>
        work({
          run: async (text: string) => {
            const isAhead = generation < 7;
            if (text.includes("AS later")) return isAhead ? [{ later: 7 }] : [];
            return text.includes("AS owner") && !isAhead ? [{ owner: id }] : [];
          },
        }),
    }),
  } as unknown as Graph; // all that is used
  await followSystemNodes({ graph, keys, collections: new Map() }, id);
  expect(written).toEqual([
    { id, generation: 5, later: 7 },
    { id, generation: 7 },
  ]);
});
