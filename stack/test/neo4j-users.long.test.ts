import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import neo4j, { type Driver } from "neo4j-driver";
import { runService } from "../src/testing/servers/run-service.ts";
import { startServiceProcess } from "../src/testing/servers/service-process.ts";
import { documentedStatement } from "../src/testing/suites/documented-commands.ts";
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
      "neo4j refuses the user name or the password; check NEO4J_USERNAME and NEO4J_PASSWORD",
    );
  });
});

const first = `first_${randomBytes(4).toString("hex")}`;
const second = `second_${randomBytes(4).toString("hex")}`;

/** A statement of docs/operations.md on the database `system`, with another name for the second user. */
const runDocumented = async (
  name: string,
  user: { readonly name: string; readonly password: string },
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const own = neo4j.driver(requireVariable("NEO4J_URI"), neo4j.auth.basic(user.name, user.password));
  try {
    const statement = documentedStatement(name).replace(/;\s*$/, "").replace("USER next", `USER ${second}`);
    await own.executeQuery(statement, parameters, { database: "system" });
  } finally {
    await own.close();
  }
};

describe("the statements of operations.md for the password of a user of Neo4j", () => {
  afterAll(async () => {
    for (const name of [first, second]) await runAsAdministrator("DROP USER $name IF EXISTS", { name });
  });

  it("change it, and leave no second user; a user cannot remove itself", async () => {
    const create = "CREATE USER $name SET PASSWORD $password CHANGE NOT REQUIRED";
    await runAsAdministrator(create, { name: first, password: "before-the-change" });
    const before = { name: first, password: "before-the-change" };
    const after = { name: first, password: "after-the-change" };
    const between = { name: second, password: "while-it-changes" };

    await runDocumented("a second user of Neo4j", before, { next: between.password });
    await runDocumented("the password of the first user of Neo4j", before, {
      old: before.password,
      new: after.password,
    });
    const remove = "remove the second user of Neo4j";
    await expect(runDocumented(remove, between)).rejects.toThrow("Deleting yourself is not allowed");
    await runDocumented(remove, after);
    const { records } = await runAsAdministrator("SHOW USERS YIELD user WHERE user = $name", {
      name: second,
    });
    expect(records).toEqual([]);
  });
});
