import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { services } from "../parts/variables.ts";
import { inRepository } from "../repository.ts";
import { wantedSecrets } from "./secrets.ts";

const prefix = (name: string): string => name.replaceAll("-", "_").toUpperCase();

describe("what the chart puts into Secrets", () => {
  it("is what deploy/new-secrets.sh prints, the user of Neo4j, and an address of Redis for each service", () => {
    const { keys, stores } = wantedSecrets();
    const printed = execFileSync("sh", [inRepository("deploy", "new-secrets.sh")], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => line.replace(/=.*/, ""));
    const addresses = services.map((name) => `${prefix(name)}_REDIS_URL`);
    expect([...Object.keys(keys), ...Object.keys(stores)].toSorted()).toEqual(
      [...printed, "NEO4J_USERNAME", ...addresses].toSorted(),
    );
  });

  it("makes each entry after those that it refers to", () => {
    for (const recipes of Object.values(wantedSecrets())) {
      const names = Object.keys(recipes);
      for (const [index, recipe] of Object.values(recipes).entries()) {
        const references =
          "publicOf" in recipe
            ? [recipe.publicOf]
            : [...JSON.stringify(recipe).matchAll(/\$\((\w+)\)/g)].map(([, name = ""]) => name);
        for (const name of references) expect(names.slice(0, index)).toContain(name);
      }
    }
  });
});
