import { describe, expect, it } from "@jest/globals";
import { joinedAnswers } from "./joined-answers.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("equal questions", () => {
  it("share the next answer, and none that was asked for before them", async () => {
    const keys: string[] = [];
    const answers: ((text: string) => void)[] = [];
    const answerTo = joinedAnswers((key) => {
      keys.push(key);
      return new Promise<string>((resolve) => answers.push(resolve));
    });
    const first = answerTo("p");
    const others = Promise.all([answerTo("p"), answerTo("p"), answerTo("p")]);
    const elsewhere = answerTo("q");
    expect(keys).toEqual(["p", "q"]);
    answers[0]?.("old");
    expect(await first).toBe("old");
    await turn();
    expect(keys).toEqual(["p", "q", "p"]);
    answers[1]?.("of q");
    answers[2]?.("new");
    expect(await others).toEqual(["new", "new", "new"]);
    expect(await elsewhere).toBe("of q");
    await turn();
    void answerTo("p");
    expect(keys).toEqual(["p", "q", "p", "p"]);
  });

  it("fail for those who share, and are asked again afterwards", async () => {
    let calls = 0;
    const answerTo = joinedAnswers(async () => {
      if (++calls < 3) throw new Error(`no ${calls}`);
      return calls;
    });
    const first = answerTo("p");
    const [second, third] = [answerTo("p"), answerTo("p")];
    await expect(first).rejects.toThrow("no 1");
    await expect(second).rejects.toThrow("no 2");
    await expect(third).rejects.toThrow("no 2");
    await turn();
    expect(await answerTo("p")).toBe(3);
  });
});
