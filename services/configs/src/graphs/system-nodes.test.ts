import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { keyRing } from "@ikg/secrets";
import { followSystemNodes } from "./system-nodes.ts";

it("reads the number of the last change before the records that it stands for", async () => {
  const texts: string[] = [];
  const read = async (text: string) => {
    texts.push(text);
    return [];
  };
  const graph = { shared: { read } } as unknown as Graph; // a project that is not behind needs no more
  const keys = keyRing(Buffer.alloc(32, 1));
  await followSystemNodes({ graph, keys, collections: new Map() }, newGid("project"));
  expect(texts).toEqual([expect.stringMatching(/\bWITH p\.\w+ AS generation\b.*\bOPTIONAL MATCH\b/)]);
});
