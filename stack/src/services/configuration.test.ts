import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { withoutPassword } from "../backend.ts";
import { inRepository } from "../repository.ts";
import { neo4jConfiguration } from "../stores/neo4j.ts";
import { quoteArgument } from "../stores/quote-argument.ts";
import { redisConfiguration, redisUrl } from "../stores/redis.ts";
import { ciqFlags, environmentOf, nodeFlags, portTaken, scorerFlags } from "./services.ts";
import { inheritEnvironment } from "./variables.ts";

describe("the configuration of the embedded parts", () => {
  it("Neo4j asks for a password and listens on this machine alone", () => {
    const lines = neo4jConfiguration("/data/neo4j", "/data/logs", 20_001).split("\n");
    expect(lines).toContain("dbms.security.auth_enabled=true");
    expect(lines.filter((line) => line.includes("_address="))).toEqual([
      "server.bolt.listen_address=127.0.0.1:20001",
      "server.bolt.advertised_address=127.0.0.1:20001",
    ]);
    expect(lines).toContain("server.http.enabled=false");
  });

  it("Redis asks for a password, listens on this machine alone and appends every change", () => {
    const lines = redisConfiguration("/a folder/redis", 20_002, "secret").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "bind 127.0.0.1",
        "port 20002",
        "requirepass secret",
        'dir "/a folder/redis"',
        "appendonly yes",
      ]),
    );
    expect(redisUrl("secret", 20_002)).toBe("redis://:secret@127.0.0.1:20002");
  });

  it("arguments in a file survive blanks, quotes and backslashes", () => {
    expect(quoteArgument('a "b" \\c')).toBe('"a \\"b\\" \\\\c"');
  });

  it("addresses are shown without user and password", () => {
    expect(withoutPassword("redis://:secret@cache:6379/0")).toBe("redis://cache:6379");
    expect(withoutPassword("neo4j+s://db.example:7687")).toBe("neo4j+s://db.example:7687");
    expect(withoutPassword("nonsense")).toBe("its address");
  });

  it("services do not inherit what is npm's or the first credential's", () => {
    const variables = {
      PATH: "/bin",
      npm_config_x: "1",
      BOOTSTRAP_SA_TOKEN: "t",
      IKG_HOME: ".ikg",
      LOG_LEVEL: "debug",
    };
    expect(inheritEnvironment(variables)).toEqual({ PATH: "/bin", LOG_LEVEL: "debug" });
  });
});

describe("the settings of test runs", () => {
  it("are those of tests alone, and what the environment sets wins", () => {
    const set = { AUDIT_BATCH_MS: "1000" };
    expect(environmentOf("test", set)).toMatchObject({ AUDIT_BATCH_MS: "1000", EGRESS_ALLOW_HTTP: "true" });
    expect(environmentOf("serve", set)).toEqual(set);
  });
});

it("a port that is taken is answered with one that exists", () => {
  expect(portTaken(8_080)).toContain("PORT=8081 ");
  expect(portTaken(65_535)).toContain("PORT=65534 ");
});

describe("a service", () => {
  it("has the same room in its image as on this machine", () => {
    const image = readFileSync(inRepository("Dockerfile"), "utf8");
    const entry = (flags: readonly string[]): string =>
      `ENTRYPOINT ${JSON.stringify(["node", ...flags]).replaceAll(",", ", ")}\n`;
    expect(image).toContain(entry(nodeFlags));
    expect(image).toContain(`${entry(ciqFlags)}CMD ["services/ciq/src/main.ts"]`);
    expect(image).toContain(`${entry(scorerFlags)}CMD ["services/trust-scorer/src/main.ts"]`);
  });
});
