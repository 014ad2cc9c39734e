import { describe, expect, it } from "@jest/globals";
import { openSharedBudget } from "@ikg/service";
import type { McpRequest } from "../mcp-request.ts";
import { readAnswer } from "./read-answer.ts";

const budget = () =>
  openSharedBudget({ total: 2_000_000, waitMs: 50, waitingPerProject: 4 }, "too many large results");

/** A mcpRequest of one project that collects what is to be freed when it is answered. */
const requestTo = (project: string) => {
  const releases: (() => void)[] = [];
  const mcpRequest = {
    endpoint: { view: { project: { id: project } } },
    onAnswered: (release: () => void) => void releases.push(release),
  } as unknown as McpRequest; // all that is read of it
  return { mcpRequest, releases };
};

async function* body(bytes: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('"'));
  for (let left = bytes - 2; left > 0; left -= 10_000) yield Buffer.alloc(Math.min(left, 10_000), "x");
  yield Buffer.from('"');
}

describe("what a service answers to a tool", () => {
  it("is read without a reservation when it is small", async () => {
    const { mcpRequest, releases } = requestTo("a");
    expect(await readAnswer(body(60_000), mcpRequest, budget(), 1_000_000)).toHaveLength(59_998);
    expect(releases).toEqual([]);
  });

  it("waits for memory when it is large, which is held until the result was sent", async () => {
    const memory = budget();
    const [one, other] = [requestTo("a"), requestTo("b")];
    await readAnswer(body(500_000), one.mcpRequest, memory, 1_000_000);
    await readAnswer(body(500_000), other.mcpRequest, memory, 1_000_000);
    await expect(readAnswer(body(500_000), one.mcpRequest, memory, 1_000_000)).rejects.toMatchObject({
      code: "too_many_requests",
    });
    await expect(
      readAnswer(body(500_000), requestTo("c").mcpRequest, memory, 1_000_000),
    ).rejects.toMatchObject({
      code: "unavailable",
    });
    for (const release of other.releases) release();
    expect(await readAnswer(body(500_000), requestTo("c").mcpRequest, memory, 1_000_000)).toHaveLength(
      499_998,
    );
  });

  it("is not read without end", async () => {
    await expect(readAnswer(body(5_000_000), requestTo("a").mcpRequest, budget(), 1_000)).rejects.toThrow(
      "the response of a service is too large",
    );
  });
});
