import { describe, expect, it } from "@jest/globals";
import type { ChainState } from "../store/chain-state.ts";
import type { ChainWriter } from "./chain-writer.ts";
import type { PendingRecords, WaitingChain } from "./waiting-records.ts";
import { addCheckpoints, atOnce, type OpenWriter, serveChain } from "./steps.ts";

const waiting: WaitingChain = {
  records: 0,
  bytes: 0,
  since: 0,
  isRedisFilling: false,
  isSpilled: false,
  hasReplacedStreams: true,
};

/** A writer over chains that `of` opens. */
const writerOf = (of: (project: string) => Promise<Partial<ChainWriter>>, projects: readonly string[]) => {
  const [dropped, warnings]: [string[], unknown[]] = [[], []];
  const writer = {
    parts: {
      now: () => new Date(0),
      streams: () => ({ id: "new", since: "" }),
      chains: { due: async () => projects },
      log: { warn: (_line: string, { project }: { project: string }) => void warnings.push(project) },
    },
    settings: { checkpointMs: 1 },
    chains: { of, drop: (project: string) => void dropped.push(project) },
    signal: new AbortController().signal,
    waiting: new Map(projects.map((project) => [project, waiting])),
    chainsOfReplacedStreams: new Set(projects),
    busy: new Set(),
  } as unknown as OpenWriter; // all that is used
  return { writer, dropped, warnings };
};

describe("a chain that has to record that its streams were replaced", () => {
  const serve = async (streams: string) => {
    const chain = {
      turn: async () => ({ bytes: 0, more: false, consumed: { records: 0, bytes: 0 } }),
      state: async () => ({ streams }) as ChainState, // what is read of it
    };
    const { writer } = writerOf(async () => chain, ["p"]);
    await serveChain(writer, "p");
    return [...writer.chainsOfReplacedStreams];
  };

  it("is served until it has done so, and no longer where another process did it", async () => {
    expect(await serve("former")).toEqual(["p"]);
    expect(await serve("new")).toEqual([]);
  });
});

describe("the records of a chain that wait", () => {
  const serve = async (consumed: PendingRecords): Promise<WaitingChain | undefined> => {
    const chain = {
      turn: async () => ({ bytes: 2_000, more: true, consumed }),
      state: async () => ({ streams: "new" }) as ChainState, // what is read of it
    };
    const { writer } = writerOf(async () => chain, ["p"]);
    writer.waiting.set("p", { ...waiting, records: 300, bytes: 3_000, since: -1 });
    await serveChain(writer, "p");
    return writer.waiting.get("p");
  };

  it("are fewer by those that a turn took, until they are read again", async () => {
    expect(await serve({ records: 10, bytes: 900 })).toMatchObject({ records: 290, bytes: 2_100, since: 0 });
    expect(await serve({ records: 0, bytes: 0 })).toMatchObject({ records: 300, bytes: 3_000, since: -1 });
    expect(await serve({ records: 301, bytes: 3_001 })).toMatchObject({ records: 0, bytes: 0 });
  });
});

describe("checkpoints that are due", () => {
  it("do not wait for chains that cannot be read", async () => {
    const projects = Array.from({ length: 2 * atOnce + 1 }, (_, index) => `p${index}`);
    const { writer, dropped, warnings } = writerOf(() => Promise.reject(new Error("damaged")), projects);
    await addCheckpoints(writer);
    expect(dropped.toSorted()).toEqual(projects.toSorted());
    expect(warnings).toHaveLength(projects.length);
  });
});
