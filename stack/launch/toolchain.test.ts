import { describe, expect, it } from "@jest/globals";
import { leftOut } from "./toolchain.mjs";

describe("native packages that pnpm left out", () => {
  it("are those of this machine", () => {
    const skipped = ["@x/linux-arm64-gnu@1.0.0", "@x/linux-x64-gnu@1.0.0", "@x/linux-x64-musl@1.0.0"];
    expect(leftOut(JSON.stringify({ skipped }), "linux-x64")).toEqual(["@x/linux-x64-gnu@1.0.0"]);
  });

  it("are none where nothing was left out or nothing is known", () => {
    expect(leftOut("{}", "linux-x64")).toEqual([]);
    expect(leftOut("skipped:\n  - a", "linux-x64")).toEqual([]);
  });
});
