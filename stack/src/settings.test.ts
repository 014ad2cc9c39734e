import { describe, expect, it } from "@jest/globals";
import { readStackSettings } from "./settings.ts";

describe("settings of the stack", () => {
  it("have defaults, and an empty variable counts as unset", () => {
    const byDefault = { home: ".ikg", port: 8080, neo4j: undefined, redisUrl: undefined };
    expect(readStackSettings({})).toEqual(byDefault);
    expect(readStackSettings({ PORT: "", IKG_HOME: "", NEO4J_URI: "", REDIS_URL: "" })).toEqual(byDefault);
  });

  it("take databases of the person's own", () => {
    const own = { NEO4J_URI: "neo4j+s://db:7687", NEO4J_PASSWORD: "p", REDIS_URL: "redis://cache:6379" };
    for (const variables of [own, { ...own, NEO4J_USERNAME: "" }])
      expect(readStackSettings(variables)).toMatchObject({
        neo4j: { uri: "neo4j+s://db:7687", username: "neo4j", password: "p" },
        redisUrl: "redis://cache:6379",
      });
    expect(readStackSettings({ ...own, NEO4J_USERNAME: "tester" }).neo4j?.username).toBe("tester");
  });

  it.each([
    [{ PORT: "80a" }, 'PORT is "80a"'],
    [{ PORT: "0" }, "from 1 to 65535"],
    [{ PORT: "65536" }, "from 1 to 65535"],
    [{ NEO4J_URI: "http://db" }, "NEO4J_URI is not an address of Neo4j"],
    [{ NEO4J_URI: "bolt://db:7687" }, "NEO4J_PASSWORD is not"],
    [{ REDIS_URL: "cache:6379" }, "REDIS_URL is not an address of Redis"],
  ])("refuse %j", (variables, message) => {
    expect(() => readStackSettings(variables)).toThrow(message);
  });
});
