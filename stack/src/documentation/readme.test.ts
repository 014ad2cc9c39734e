import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";

const readme = readFileSync(inRepository("README.md"), "utf8");

describe("README", () => {
  it("starts with Docker, then with processes, decides, and lists options after that", () => {
    const places = [
      "docker compose up --build --wait",
      "npm start -- --detach --no-demo",
      "## A first decision",
      "| option or variable",
    ].map((text) => readme.indexOf(text));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("starts within its first sixty lines", () => {
    const line = readme.split("\n").findIndex((text) => text.startsWith("docker compose up"));
    expect(line).toBeLessThan(60);
  });
});
