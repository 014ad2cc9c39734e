import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Deployment, startDeployment } from "../../src/suites/start-deployment.ts";
import { takesEffectWithinMs } from "../../src/take-effect.ts";

/** Two processes of every service on one database, and a Redis that goes and comes back. */
let deployment: Deployment;
let project: string;
let agent: string;
let key: string;

interface Got {
  readonly status: number;
  readonly etag: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const ask = async (
  side: 0 | 1,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  json?: unknown,
): Promise<Got> => {
  const response = await fetch(`${deployment.gateways[side]}${path}`, {
    method,
    headers: { ...headers, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    signal: AbortSignal.timeout(15_000),
  });
  return {
    status: response.status,
    etag: response.headers.get("etag") ?? "",
    body: (await response.json()) as Got["body"], // every answer is an object
  };
};
const configs = (side: 0 | 1, method: string, path: string, json?: unknown, more = {}): Promise<Got> =>
  ask(side, method, `/configs/v1${path}`, { authorization: `Bearer ${deployment.token}`, ...more }, json);
const make = async (path: string, json: object): Promise<string> => {
  const { status, body } = await configs(0, "POST", path, json);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  return String(body["id"]);
};
const decide = async (side: 0 | 1, by = key): Promise<unknown> => {
  const question = {
    subject: { type: "Person", id: "ann" },
    action: { name: "DRIVE" },
    resource: { type: "Car", id: "car" },
  };
  const { status, body } = await ask(
    side,
    "POST",
    "/access/v1/evaluation",
    { "x-svc-clientkey": by },
    question,
  );
  return status === 200 ? body["decision"] : status;
};
const decisions = async (by = key): Promise<unknown[]> => Promise.all([decide(0, by), decide(1, by)]);
const become = async (wanted: readonly unknown[], by = key): Promise<void> => {
  await eventually(
    () => decisions(by),
    (found) => JSON.stringify(found) === JSON.stringify(wanted),
  );
};

let policy: string;
const policyBody = (status: string) => ({
  status,
  policy: JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: ["DRIVE"],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  }),
});
const setPolicy = async (side: 0 | 1, status: "ACTIVE" | "INACTIVE"): Promise<void> => {
  expect((await configs(side, "PUT", `/authorization-policies/${policy}`, policyBody(status))).status).toBe(
    200,
  );
};
const newKey = async (): Promise<{ id: string; key: string }> => {
  const { status, body } = await configs(0, "POST", "/application-agent-credentials", {
    application_agent_id: agent,
  });
  expect(status).toBe(201);
  const { token } = body["application_agent_config"] as { token: string };
  return { id: String(body["id"]), key: token };
};

beforeAll(async () => {
  deployment = await startDeployment();
  project = await make("/projects", { organization_id: deployment.organizationId, name: "twice" });
  const application = await make("/applications", { project_id: project, name: "app" });
  agent = await make("/application-agents", {
    application_id: application,
    name: "agent",
    api_permissions: ["Capture", "Authorization"],
  });
  ({ key } = await newKey());
  policy = await make("/authorization-policies", {
    project_id: project,
    name: "drive",
    ...policyBody("ACTIVE"),
  });
  const ann = { type: "Person", external_id: "ann" };
  const car = { type: "Car", external_id: "car" };
  const capture = async (path: string, json: object): Promise<void> => {
    const { status } = await ask(0, "POST", `/capture/v1${path}`, { "x-svc-clientkey": key }, json);
    if (status !== 200) throw new Error(`POST ${path}: ${status}`);
  };
  await capture("/nodes", { nodes: [ann, car] });
  await capture("/relationships", { relationships: [{ source: ann, target: car, type: "OWNS" }] });
}, 300_000);
afterAll(async () => {
  await configs(0, "DELETE", `/projects/${project}`);
  await deployment.close();
}, 120_000);

describe("two processes of every service", () => {
  it("two PUTs with one ETag: one 200, one 412", async () => {
    for (let round = 0; round < 5; round++) {
      const { etag } = await configs(0, "GET", `/projects/${project}`);
      const put = (side: 0 | 1) =>
        configs(
          side,
          "PUT",
          `/projects/${project}`,
          { description: `by ${side} in ${round}` },
          { "if-match": etag },
        );
      const statuses = (await Promise.all([put(0), put(1)])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412]);
    }
  });

  it("a change at one is followed by the other within two seconds", async () => {
    await become([true, true]);
    await setPolicy(1, "INACTIVE");
    await become([false, false]);
    await setPolicy(0, "ACTIVE");
    await become([true, true]);
    const revoked = await newKey();
    await become([true, true], revoked.key);
    await configs(0, "DELETE", `/application-agent-credentials/${revoked.id}`);
    await become([401, 401], revoked.key);
  });

  it("without Redis everything is answered, and changes are followed as soon", async () => {
    const revoked = await newKey();
    await become([true, true], revoked.key);
    await deployment.redis.stop();
    // Not one answer is missing in the moments after it went.
    for (const until = Date.now() + 1_500; Date.now() < until; await pause(50))
      expect(await decisions()).toEqual([true, true]);
    // A balancer, which looks at this, would have nothing left.
    const readiness = await Promise.all(
      deployment.gateways.map(async (gateway) => (await fetch(`${gateway}/readyz`)).status),
    );
    expect(readiness).toEqual([200, 200]);
    await setPolicy(0, "INACTIVE");
    await pause(500);
    await become([false, false]);
    await configs(1, "DELETE", `/application-agent-credentials/${revoked.id}`);
    await become([401, 401], revoked.key);
    await setPolicy(1, "ACTIVE");
    await pause(500);
    await become([true, true]);
    const added = await newKey();
    await become([true, true], added.key);
  }, 30_000);

  it("with Redis back they hear of changes again, and of what happened meanwhile", async () => {
    await setPolicy(0, "INACTIVE");
    await deployment.redis.start();
    await become([false, false]);
    // Longer than a project is kept unheard: from here on only an announcement makes them look.
    await pause(2_500);
    await setPolicy(1, "ACTIVE");
    await become([true, true]);
    const permissions = (api_permissions: readonly string[]) =>
      configs(0, "PUT", `/application-agents/${agent}`, { api_permissions });
    expect((await permissions(["Capture"])).status).toBe(200);
    await become([403, 403]);
    expect((await permissions(["Capture", "Authorization"])).status).toBe(200);
    await become([true, true]);
  }, 30_000);

  it("the requests of a project in a second are limited at both gateways together", async () => {
    const limit = async (limits: object): Promise<void> => {
      expect((await configs(0, "PUT", `/projects/${project}`, { limits })).status).toBe(200);
    };
    const admittedAt = async (side: 0 | 1, ms: number): Promise<number> => {
      let count = 0;
      for (const until = Date.now() + ms; Date.now() < until; await pause(10))
        if ((await decide(side)) === true) count++;
      return count;
    };
    const admitted = async (ms: number): Promise<number> => {
      const [one, two] = await Promise.all([admittedAt(0, ms), admittedAt(1, ms)]);
      return one + two;
    };
    await limit({ requests_per_second: 20 });
    await admitted(takesEffectWithinMs);
    // Twice as many where each gateway counts by itself.
    const count = await admitted(3_000);
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(90);
    await limit({});
  }, 30_000);

  it("none of them has written a secret", () => {
    const text = deployment.output();
    expect(text.length).toBeGreaterThan(1_000);
    expect(text).not.toContain(deployment.token);
    expect(text).not.toMatch(/(?:ak1|sa1)_[0-9a-z]{16}_[A-Za-z0-9_-]{43}/);
    expect(text).not.toMatch(/eyJ[A-Za-z0-9_-]{8,}\./);
  });
});
