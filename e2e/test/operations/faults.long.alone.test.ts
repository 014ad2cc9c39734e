import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ServiceName, services, upstreams } from "../../../stack/src/services/service-names.ts";
import { keysOfService } from "../../../stack/src/services/variables.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Ended, runService } from "../../../stack/src/testing/servers/run-service.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { backendSettings, type Process, startBeside } from "../../src/suites/start-beside.ts";

/** The table "Faults" of docs/operations.md: what an operator sees, of processes that were started so. */
const nowhere = "127.0.0.1:1";
const address = "http://127.0.0.1:1";

/** Addresses that a service wants to know and does not ask at its start. */
const addresses = Object.fromEntries(upstreams.map((name) => [`UPSTREAM_${name.toUpperCase()}`, address]));
const whole = (name: ServiceName): Record<string, string> => ({
  ...addresses,
  ...backendSettings(name),
  START_TIMEOUT_SECONDS: "1",
});
/** Without the public keys of mcp a service starts and refuses its calls. */
const secretNames = (name: ServiceName): string[] =>
  keysOfService[name].filter((key) => key !== "MCP_PUBLIC_KEYS");
const expected: Readonly<Record<string, string>> = {
  GATEWAY_SIGNING_KEY:
    "Ed25519 private key in base64 expected (openssl genpkey -algorithm ed25519 -outform DER | base64)",
  GATEWAY_PUBLIC_KEYS:
    "Ed25519 public keys in base64 expected, separated by commas (openssl pkey -pubout -outform DER | base64)",
};
const without = (env: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
const last = ({ lines }: Ended): unknown => lines.at(-1)?.["msg"];

describe("a secret", () => {
  it.each(services)("that is missing: %s refuses to start and names it", async (name) => {
    const { code, lines } = await runService(name, without(whole(name), secretNames(name)));
    expect(code).toBe(1);
    expect(lines.map(({ level, service, msg }) => ({ level, service, msg }))).toEqual(
      expect.arrayContaining(
        secretNames(name).map((secret) => ({
          level: "error",
          service: name,
          msg: `${secret}: required but not set`,
        })),
      ),
    );
  });

  it("that is too short: the service refuses to start, names it and does not repeat it", async () => {
    const short = Buffer.from("short secret").toString("base64");
    for (const name of ["gateway", "configs"] as const) {
      const shortened = Object.fromEntries(secretNames(name).map((secret) => [secret, short]));
      const { code, lines } = await runService(name, { ...whole(name), ...shortened });
      expect([code, lines.map(({ msg }) => String(msg)).toSorted()]).toEqual([
        1,
        secretNames(name)
          .map(
            (secret) =>
              `${secret}: ${expected[secret] ?? "32 bytes in base64 expected (openssl rand -base64 32)"}`,
          )
          .toSorted(),
      ]);
      expect(JSON.stringify(lines)).not.toContain(short);
    }
  });
});

describe("a store at the start", () => {
  it("Neo4j that does not run", async () => {
    const ended = await runService("access", { ...whole("access"), NEO4J_URI: `bolt://${nowhere}` });
    expect([ended.code, last(ended)]).toEqual([
      1,
      "neo4j is not reachable; check that it is running and that NEO4J_* are right",
    ]);
  });

  // Two: after three refusals the server locks the user out for a while, also those who know the password.
  it.each(["access", "gateway"] as const)("Neo4j that refuses the password of %s", async (name) => {
    const begun = performance.now();
    const { code, lines } = await runService(name, {
      ...whole(name),
      NEO4J_PASSWORD: "not the password",
      START_TIMEOUT_SECONDS: "60",
    });
    expect(code).toBe(1);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual(
      expect.arrayContaining([
        ["error", "neo4j refuses the user name or the password; check NEO4J_USERNAME and NEO4J_PASSWORD"],
      ]),
    );
    // At once, without another try.
    expect(performance.now() - begun).toBeLessThan(50_000);
    expect(JSON.stringify(lines)).not.toContain("not the password");
  });

  it("Redis that does not run", async () => {
    const ended = await runService("ciq", {
      ...whole("ciq"),
      REDIS_URL: `redis://:hidden@${nowhere}`,
      // So that the database has answered by then.
      START_TIMEOUT_SECONDS: "5",
    });
    expect([ended.code, last(ended)]).toEqual([
      1,
      "redis is not reachable; check that it is running and that REDIS_* are right",
    ]);
    expect(ended.lines).toContainEqual(
      expect.objectContaining({ level: "warn", msg: "redis is not reachable" }),
    );
    expect(JSON.stringify(ended.lines)).not.toContain("hidden");
  });
});

/** Makes the clock of a process wrong by so many minutes. */
const clockOff = (minutes: number): Record<string, string> => {
  const program = `const now = Date.now; Date.now = () => now() + ${minutes * 60_000};`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` };
};

describe("a clock that is off", () => {
  let tenant: Tenant;
  let access: Process;
  const gateways: Process[] = [];
  const question = {
    subject: { type: "Person", id: "ann" },
    action: { name: "DRIVE" },
    resource: { type: "Car", id: "car" },
  };
  beforeAll(async () => {
    tenant = await createTenant("clock");
    access = await startBeside("access", {});
  }, 120_000);
  afterAll(async () => {
    await Promise.all([access, ...gateways].map((each) => each?.stop()));
    await tenant?.remove();
  });
  const askBy = async (minutes: number) => {
    const gateway = await startBeside("gateway", {
      ...addresses,
      ...clockOff(minutes),
      UPSTREAM_ACCESS: `http://127.0.0.1:${access.port}`,
    });
    gateways.push(gateway);
    const base = `http://127.0.0.1:${gateway.port}`;
    const ask = () => withKey("/access/v1/evaluation", tenant, { base, json: question });
    // A process that was started a moment ago may not know its stores yet.
    return eventually(
      ask,
      ({ status, body }) => status !== 503 || JSON.stringify(body).includes("internal context"),
    );
  };

  it("behind by five minutes at the gateway: services refuse what it says, 503", async () => {
    const { status, body } = await askBy(-5);
    expect([status, body]).toEqual([503, { message: "internal context missing or not valid" }]);
    // Lines are written a moment after the answer.
    const output = (): Promise<string> => Promise.resolve(access.output());
    await eventually(output, (text) => text.includes('"problem":"internal_context_invalid"'));
    await eventually(output, (text) => text.includes('"msg":"internal contexts do not verify'));
  }, 120_000);

  it("ahead by five minutes at the gateway: it is answered", async () => {
    expect(await askBy(5)).toMatchObject({ status: 200, body: { decision: false } });
  }, 120_000);
});
