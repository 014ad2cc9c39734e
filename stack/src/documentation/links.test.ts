import { describe, expect, it } from "@jest/globals";
import { linksOf } from "./links.ts";

describe("linksOf", () => {
  it.each([
    ["a file", "[text](api.md)", ["api.md"]],
    ["a heading of a file", "[text](../README.md#start-it)", ["../README.md"]],
    ["a file with a title", '[text](api.md "The API")', ["api.md"]],
    ["a picture", "![text](console/playground.png)", ["console/playground.png"]],
    ["several of one line", "[a](a.md) and [b](b/)", ["a.md", "b/"]],
    ["a file whose name begins like a scheme", "[text](http.md)", ["http.md"]],
  ])("finds %s", (_what, page, targets) => {
    expect(linksOf(page)).toEqual(targets);
  });

  it.each([
    ["a heading of the page", "[text](#start-it)"],
    ["a site", "[text](https://example.com/a.md)"],
    ["an address of mail", "[text](mailto:security@example.com)"],
  ])("leaves out %s", (_what, page) => {
    expect(linksOf(page)).toEqual([]);
  });
});
