import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import neo4j, { type Driver } from "neo4j-driver";
import { runService } from "../src/testing/servers/run-service.ts";
import { startServiceProcess } from "../src/testing/servers/service-process.ts";
import { requireVariable } from "../src/testing/test-environment.ts";

/** A user of Neo4j for one service. In the Community edition it differs from others in name and password alone. */
const username = `scorer_${randomBytes(4).toString("hex")}`;
const password = randomBytes(16).toString("hex");
let driver: Driver;

const runAsAdministrator = (text: string, parameters: object) =>
  driver.executeQuery(text, parameters, { database: "system" });

beforeAll(async () => {
  const { basic } = neo4j.auth;
  driver = neo4j.driver(
    requireVariable("NEO4J_URI"),
    basic(requireVariable("NEO4J_USERNAME"), requireVariable("NEO4J_PASSWORD")),
  );
  await runAsAdministrator("CREATE USER $username SET PASSWORD $password CHANGE NOT REQUIRED", {
    username,
    password,
  });
});
afterAll(async () => {
  await runAsAdministrator("DROP USER $username", { username });
  await driver.close();
});

const settings = (own: string) => ({
  NEO4J_URI: requireVariable("NEO4J_URI"),
  NEO4J_USERNAME: username,
  NEO4J_PASSWORD: own,
  REDIS_URL: requireVariable("REDIS_URL"),
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  TRUST_CONCURRENCY: "0",
  DRAIN_DELAY_MS: "0",
});

describe("a user of Neo4j for one service", () => {
  it("is used by that service", async () => {
    const { running } = await startServiceProcess("trust-scorer", settings(password));
    await running.end();
  });

  it("with another password ends the start with one line", async () => {
    const { code, lines } = await runService("trust-scorer", settings("wrong"));
    expect(code).toBe(1);
    expect(lines.map(({ msg }) => msg)).toContain(
      "neo4j refuses the user name or the password; are NEO4J_USERNAME and NEO4J_PASSWORD set right?",
    );
  });
});
