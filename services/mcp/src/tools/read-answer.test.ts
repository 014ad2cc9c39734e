import { describe, expect, it } from "@jest/globals";
import { openSharedBudget } from "@ikg/service";
import type { Visit } from "../visit.ts";
import { readAnswer } from "./read-answer.ts";

const budget = () =>
  openSharedBudget({ capacity: 2_000_000, waitMs: 50, waitingPerProject: 4 }, "too many large results");

/** A visit of one project that collects what is to be freed when it is answered. */
const visitTo = (project: string) => {
  const releases: (() => void)[] = [];
  const visit = {
    door: { view: { project: { id: project } } },
    onAnswered: (release: () => void) => void releases.push(release),
  } as unknown as Visit; // all that is read of it
  return { visit, releases };
};

async function* body(bytes: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('"'));
  for (let left = bytes - 2; left > 0; left -= 10_000) yield Buffer.alloc(Math.min(left, 10_000), "x");
  yield Buffer.from('"');
}

describe("what a service answers to a tool", () => {
  it("is read without a reservation when it is small", async () => {
    const { visit, releases } = visitTo("a");
    expect(await readAnswer(body(60_000), visit, budget(), 1_000_000)).toHaveLength(59_998);
    expect(releases).toEqual([]);
  });

  it("waits for memory when it is large, which is held until the result was sent", async () => {
    const memory = budget();
    const [one, other] = [visitTo("a"), visitTo("b")];
    await readAnswer(body(500_000), one.visit, memory, 1_000_000);
    await readAnswer(body(500_000), other.visit, memory, 1_000_000);
    await expect(readAnswer(body(500_000), one.visit, memory, 1_000_000)).rejects.toMatchObject({
      code: "too_many_requests",
    });
    await expect(readAnswer(body(500_000), visitTo("c").visit, memory, 1_000_000)).rejects.toMatchObject({
      code: "unavailable",
    });
    for (const release of other.releases) release();
    expect(await readAnswer(body(500_000), visitTo("c").visit, memory, 1_000_000)).toHaveLength(499_998);
  });

  it("is not read without end", async () => {
    await expect(readAnswer(body(5_000_000), visitTo("a").visit, budget(), 1_000)).rejects.toThrow(
      "a service answered more than it may",
    );
  });
});
