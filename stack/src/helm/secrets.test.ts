import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { missingEntries } from "../../../deploy/helm/ikg/files/make-secrets.mjs";
import { services } from "../services/service-names.ts";
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

  it("refers to entries of the same Secret, without a circle", () => {
    for (const recipes of Object.values(wantedSecrets())) {
      const referencesOf = (name: string): readonly string[] => {
        const recipe = recipes[name];
        if (recipe === undefined) throw new Error(`${name} is no entry`);
        if ("publicOf" in recipe) return [recipe.publicOf];
        return [...JSON.stringify(recipe).matchAll(/\$\((\w+)\)/g)].map(([, reference = ""]) => reference);
      };
      const follow = (name: string, path: readonly string[]): void => {
        expect(path).not.toContain(name);
        for (const each of referencesOf(name)) follow(each, [...path, name]);
      };
      for (const name of Object.keys(recipes)) follow(name, []);
    }
  });

  it.each(["former=", ""])("seals tokens by the key of a release before 0.2.0: '%s'", (former) => {
    const { keys } = wantedSecrets();
    const encoded = Buffer.from(former).toString("base64");
    const data = { INTERNAL_CONTEXT_KEY: encoded };
    const made = missingEntries(keys, data);
    expect(Object.keys(made).toSorted()).toEqual(Object.keys(keys).toSorted());
    if (former === "") expect(Buffer.from(made["TOKEN_SEALING_KEY"] ?? "", "base64")).toHaveLength(44);
    else expect(made["TOKEN_SEALING_KEY"]).toBe(encoded);
    expect(missingEntries(keys, { ...data, ...made })).toEqual({});
  });

  it("is made in whatever order it is asked for, and replaces nothing", () => {
    for (const recipes of Object.values(wantedSecrets())) {
      const sorted = Object.fromEntries(Object.entries(recipes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const made = missingEntries(sorted, {});
      expect(Object.keys(made).toSorted()).toEqual(Object.keys(sorted));
      expect(missingEntries(recipes, made)).toEqual({});
    }
  });
});
