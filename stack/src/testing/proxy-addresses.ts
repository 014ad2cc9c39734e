/** Which client address counts behind a proxy, in audit records and limits, and which URLs are answered. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { asAgent, call } from "../api.ts";
import { openRecords } from "../records.ts";
import { author, mayRead, own } from "./authorship.ts";
import { becomes } from "./becomes.ts";
import type { Counts } from "./counts.ts";
import type { LoadProject } from "./load.ts";
import { clientAddressPath } from "./nginx.ts";
import type { ProxiedSuite } from "./proxied-suite.ts";
import { openProxyClient, type ProxyClient } from "./proxy-client.ts";
import { verdict } from "./verdict.ts";

/** A batch of records waits for more of them, is written, and then signed. */
const recordedWithinMs = 60_000;
/** A record of the configuration takes effect within two seconds. */
const effectMs = 20_000;

const refusals = 5;
/** Settings of the gateway for the checks: a limit that a few requests reach, and where people sign in. */
export const checkedSettings = {
  RATE_LIMIT_FAILED_PER_MINUTE: String(refusals),
  OIDC_ISSUER: "https://issuer.example.com",
  OIDC_AUDIENCE: "ikg",
  OIDC_CLIENT_ID: "ikg-sign-in",
} as const;

const json = { "content-type": "application/json" } as const;

/** What a client invents about itself, in every header that a proxy could have sent. */
const invented = (host: number): Readonly<Record<string, string>> => ({
  "x-forwarded-for": `203.0.113.${host}`,
  "x-forwarded-proto": "http",
  "x-forwarded-host": "invented.example",
  "x-real-ip": `203.0.113.${host}`,
  forwarded: `for=203.0.113.${host};proto=http;host=invented.example`,
});

interface Recorded {
  readonly request?: { readonly id: string; readonly ip?: string };
}

/** The address in the audit record of a request; undefined where there is none in time. */
const recordedAddress = async (
  { environment: { base_url } }: ProxiedSuite,
  { id, apiKey }: LoadProject,
  requestId: string,
): Promise<string | undefined> => {
  const path = `/audit/v1/logs?project_id=${encodeURIComponent(id)}&order=desc`;
  let found: Recorded | undefined;
  await becomes(async () => {
    // The envelope of every list, or `call` would have thrown.
    const { items } = (await call(base_url, "GET", path, asAgent(apiKey))) as {
      readonly items: readonly { readonly data: readonly Recorded[] }[];
    };
    found = items.flatMap(({ data }) => data).find(({ request }) => request?.id === requestId);
    return found !== undefined;
  }, recordedWithinMs);
  return found?.request?.ip;
};

const settingOf = (isTrusted: boolean): string => `${isTrusted ? "with" : "without"} TRUSTED_PROXIES`;

/** Lends a client to `work`. */
const withClient = async <T>(
  { entry }: ProxiedSuite,
  work: (client: ProxyClient) => Promise<T>,
): Promise<T> => {
  const client = openProxyClient(entry);
  try {
    return await work(client);
  } finally {
    client.close();
  }
};

/** Audit records name the client where the proxy is trusted, else the proxy; never an invented address. */
export const checkRecords = (
  suite: ProxiedSuite,
  project: LoadProject,
  isTrusted: boolean,
): Promise<Counts> =>
  withClient(suite, async (client) => {
    const { TRUSTED_PROXIES: proxy } = suite.settings;
    const { text: address } = await client.send("GET", clientAddressPath);
    const recorded: string[] = [];
    for (const headers of [{}, invented(9)]) {
      const requestId = randomUUID();
      const sent = { ...asAgent(project.apiKey), ...json, ...headers, "x-request-id": requestId };
      const body = JSON.stringify(mayRead(own));
      const { status } = await client.send("POST", "/access/v1/evaluation", sent, body);
      recorded.push(
        status === 200
          ? ((await recordedAddress(suite, project, requestId)) ?? "no record")
          : `status ${status}`,
      );
    }
    const expected = isTrusted ? address : proxy;
    const named = recorded.join(", with invented headers ");
    return verdict(
      address !== proxy && recorded.every((each) => each === expected),
      `${settingOf(isTrusted)} audit records of ${address} behind ${proxy} name ${named}`,
    );
  });

/** Runs in a container of access; prints the status of a request with a wrong key. */
const script = `
const { address, port, host, ca } = JSON.parse(process.argv[1]);
const headers = { host, "x-svc-clientkey": "wrong", "content-type": "application/json" };
const options = {
  host: address, port, servername: host, ca, headers,
  method: "POST", path: "/access/v1/evaluation", timeout: 20000,
};
const print = (what) => console.log("status " + what);
require("node:https")
  .request(options, (answer) => answer.resume().on("end", () => print(answer.statusCode)))
  .on("timeout", function () { this.destroy(new Error("timeout")); })
  .on("error", (error) => print(error.code ?? error.message))
  .end("{}");
`;

/** The status that a client of another address is answered. */
const statusOfOther = async ({ entry, entryInside, runNode }: ProxiedSuite): Promise<string | undefined> => {
  const { host, ca } = entry;
  const lines = await runNode("--eval", script, JSON.stringify({ ...entryInside, host, ca }));
  return lines.find((line) => line.startsWith("status "))?.slice("status ".length);
};

/** Refused credentials count for the client where the proxy is trusted, else for all clients of the proxy. */
export const checkLimits = (suite: ProxiedSuite, isTrusted: boolean): Promise<Counts> =>
  withClient(suite, async (client) => {
    const statuses: number[] = [];
    // Were an invented address counted, none would be refused for its number.
    for (let host = 1; host <= refusals + 3; host++) {
      const headers = { ...json, ...invented(host), "x-svc-clientkey": "wrong" };
      statuses.push((await client.send("POST", "/access/v1/evaluation", headers, "{}")).status);
    }
    const other = (await statusOfOther(suite)) ?? "nothing";
    const answered = statuses.join(", ");
    return verdict(
      statuses.every((status) => status === 401 || status === 429) &&
        statuses.at(-1) === 429 &&
        other === (isTrusted ? "401" : "429"),
      `${settingOf(isTrusted)} wrong keys are answered ${answered}, of another address ${other}`,
    );
  });

/** An MCP server in the project, whose endpoint answers when this returns. */
const makeMcpServer = async (
  { environment }: ProxiedSuite,
  { id, applicationId }: LoadProject,
  client: ProxyClient,
): Promise<void> => {
  const records = openRecords(environment);
  const agent = await records.create("application-agents", {
    name: "mcp",
    application_id: applicationId,
    api_permissions: ["Authorization"],
  });
  const introspect = await records.create("token-introspects", {
    name: "mcp",
    project_id: id,
    jwt_matcher: { issuer: checkedSettings.OIDC_ISSUER, audience: "mcp" },
    ikg_node_type: author.type,
  });
  await records.create("mcp-servers", {
    name: "mcp",
    project_id: id,
    app_agent_id: agent.id,
    token_introspect_id: introspect.id,
    enabled: true,
    scopes_supported: ["openid"],
  });
  const isOpen = async () => (await client.send("POST", `/mcp/v1/${id}`, json, "{}")).status === 401;
  await becomes(isOpen, effectMs);
};

/** The members of an answer; none where it is no JSON. */
const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

/** The URLs in what clients are told before they have a credential. */
const answeredUrls = async (client: ProxyClient, id: string, host: string): Promise<unknown[]> => {
  const read = async (path: string) => membersOf((await client.send("GET", path, { host })).text);
  const wellKnown = "/.well-known/oauth-protected-resource";
  const decisions = await read("/.well-known/authzen-configuration");
  const { headers } = await client.send("POST", `/mcp/v1/${id}`, { host, ...json }, "{}");
  return [
    decisions["policy_decision_point"],
    decisions["access_evaluation_endpoint"],
    (await read(`${wellKnown}/configs/v1`))["resource"],
    (await read(`${wellKnown}/mcp/v1/${id}`))["resource"],
    /resource_metadata="([^"]*)"/.exec(headers["www-authenticate"] ?? "")?.[1],
  ];
};

/** Every URL in an answer begins with `PUBLIC_URL`, by whatever name the client called the proxy. */
export const checkUrls = (suite: ProxiedSuite, project: LoadProject): Promise<Counts> =>
  withClient(suite, async (client) => {
    const { PUBLIC_URL: url } = suite.settings;
    const { id } = project;
    await makeMcpServer(suite, project, client);
    const expected = [
      url,
      `${url}/access/v1/evaluation`,
      `${url}/configs/v1`,
      `${url}/mcp/v1/${id}`,
      `${url}/.well-known/oauth-protected-resource/mcp/v1/${id}`,
    ];
    const found: unknown[][] = [];
    for (const host of [suite.entry.host, "other.example"]) found.push(await answeredUrls(client, id, host));
    const wrong = found.filter((each) => !isDeepStrictEqual(each, expected));
    const faults = wrong.map((each) => JSON.stringify(each));
    const text = `URLs of decisions, sign-in and MCP begin with ${url}`;
    return verdict(faults.length === 0, [text, ...faults].join("\n  "));
  });
