import { describe, expect, it } from "@jest/globals";
import { nextPage } from "./next-page.ts";

async function* pagesThatFail() {
  yield 1;
  throw new Error("away");
}

async function* onePage() {
  yield 1;
}

describe("pages that are read one by one", () => {
  it("end after the last one", async () => {
    const pages = onePage();
    expect([await nextPage(pages), await nextPage(pages), await nextPage(pages)]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });

  it("do not seem to be complete after one that could not be read", async () => {
    const pages = pagesThatFail();
    expect(await nextPage(pages)).toBe(1);
    await expect(nextPage(pages)).rejects.toThrow("away");
    await expect(nextPage(pages)).rejects.toThrow("cannot be continued");
  });
});
