/** Which client address counts behind a proxy, in records, logs and limits, and which URLs are answered. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { asAgent, openAdmin, openIkg, type RequestHeaders } from "../../clients.ts";
import { author, mayRead, own } from "./authorship.ts";
import type { Counts } from "../runner/counts.ts";
import type { LoadProject } from "./load.ts";
import { clientAddressPath } from "./nginx.ts";
import type { ProxiedSuite } from "./proxied-suite.ts";
import { type ProxyClient, withProxyClient } from "./proxy-client.ts";
import { verdict } from "./verdict.ts";
import { waitUntil } from "../wait-until.ts";

/** A batch of records waits for more of them, is written, and then signed. */
const recordWithinMs = 60_000;
/** The gateway writes the line of a request when it has answered; engines collect it a little later. */
const logWithinMs = 10_000;
/** A record of the configuration takes effect within two seconds. */
const effectMs = 20_000;

const refusals = 5;
/** Settings for the checks: a limit that a few requests reach, a log line a request, and where people sign in. */
export const testSettings = {
  LOG_LEVEL: "http",
  RATE_LIMIT_FAILED_PER_MINUTE: String(refusals),
  OIDC_ISSUER: "https://issuer.example.com",
  OIDC_AUDIENCE: "ikg",
  OIDC_CLIENT_ID: "ikg-sign-in",
} as const;

const json = { "content-type": "application/json" } as const;

/** A false address, scheme and host of a client, in every header that a proxy could have sent. */
const forgedHeaders = (host: number): Readonly<Record<string, string>> => ({
  "x-forwarded-for": `203.0.113.${host}`,
  "x-forwarded-proto": "http",
  "x-forwarded-host": "forged.example",
  "x-real-ip": `203.0.113.${host}`,
  forwarded: `for=203.0.113.${host};proto=http;host=forged.example`,
});

/** What an audit record says about the request that it is of. */
interface AuditedRequest {
  readonly id: string;
  readonly ip?: string;
}

/** The address in the audit record of a request; undefined where there is none in time. */
const addressInRecord = async (
  { environment, signal }: ProxiedSuite,
  project: LoadProject,
  requestId: string,
): Promise<string | undefined> => {
  const audit = openIkg(environment, project).audit(project.id);
  let found: AuditedRequest | undefined;
  const hasRecord = async (): Promise<boolean> => {
    const batches = await audit.batches({ order: "desc" }).toArray();
    found = batches
      .flatMap(({ data }) => data)
      // As libs/contracts describes audit records; the client leaves their members open.
      .map((record) => record["request"] as AuditedRequest | undefined)
      .find((request) => request?.id === requestId);
    return found !== undefined;
  };
  await waitUntil(hasRecord, recordWithinMs, signal);
  return found?.ip;
};

const describeSetting = (isTrusted: boolean): string => `${isTrusted ? "with" : "without"} TRUSTED_PROXIES`;

/** Sends a decision. @returns its id, and its status */
const decide = async (
  client: ProxyClient,
  { apiKey }: LoadProject,
  headers: RequestHeaders,
): Promise<{ readonly requestId: string; readonly status: number }> => {
  const requestId = randomUUID();
  const { status } = await client.send(
    "POST",
    "/access/v1/evaluation",
    { ...asAgent(apiKey), ...json, ...headers, "x-request-id": requestId },
    JSON.stringify(mayRead(own)),
  );
  return { requestId, status };
};

/** The addresses of client and proxy, and which of them counts: the client's where the proxy is trusted. */
const addressesOf = async (
  { settings: { TRUSTED_PROXIES: proxy } }: ProxiedSuite,
  client: ProxyClient,
  isTrusted: boolean,
) => {
  const { text: address } = await client.send("GET", clientAddressPath);
  return { address, proxy, expected: isTrusted ? address : proxy };
};

/** Audit records name the client where the proxy is trusted, else the proxy; never a forged address. */
export const checkRecords = (
  suite: ProxiedSuite,
  project: LoadProject,
  isTrusted: boolean,
): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    const { address, proxy, expected } = await addressesOf(suite, client, isTrusted);
    const addresses: string[] = [];
    for (const headers of [{}, forgedHeaders(9)]) {
      const { requestId, status } = await decide(client, project, headers);
      addresses.push(
        status === 200
          ? ((await addressInRecord(suite, project, requestId)) ?? "no record")
          : `status ${status}`,
      );
    }
    return verdict(
      address !== proxy && addresses.every((each) => each === expected),
      `${describeSetting(isTrusted)} audit records of ${address} behind ${proxy} name ${addresses.join(", with forged headers ")}`,
    );
  });

interface LogLine {
  readonly address?: string;
  readonly scheme?: string;
}

/** The log line of a request; undefined where there is none in time. */
const lineOf = async (
  { readGatewayLog, signal }: ProxiedSuite,
  requestId: string,
): Promise<LogLine | undefined> => {
  let line: LogLine | undefined;
  const hasLine = async (): Promise<boolean> => {
    const text = (await readGatewayLog()).find((each) => each.includes(requestId));
    // Of our logger, in JSON.
    if (text !== undefined) line = JSON.parse(text) as LogLine;
    return line !== undefined;
  };
  await waitUntil(hasLine, logWithinMs, signal);
  return line;
};

/** The log names the address that counts, and the scheme of the client only where the proxy is trusted. */
export const checkLog = (suite: ProxiedSuite, project: LoadProject, isTrusted: boolean): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    const { expected } = await addressesOf(suite, client, isTrusted);
    const { requestId, status } = await decide(client, project, forgedHeaders(9));
    const { address, scheme } = (await lineOf(suite, requestId)) ?? {};
    return verdict(
      status === 200 && address === expected && scheme === (isTrusted ? "https" : undefined),
      `${describeSetting(isTrusted)} the gateway logs the address ${address ?? "none"} and the scheme ${scheme ?? "none"}`,
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

/** The status for a client of another address. */
const statusOfOther = async ({ entry, entryInside, runNode }: ProxiedSuite): Promise<string | undefined> => {
  const { host, ca } = entry;
  const lines = await runNode("--eval", script, JSON.stringify({ ...entryInside, host, ca }));
  return lines.find((line) => line.startsWith("status "))?.slice("status ".length);
};

interface KeyStatuses {
  readonly statuses: readonly number[];
  readonly other: string;
}

/** Sends wrong keys with forged addresses, more than the limit allows, then one from another address. */
const sendWrongKeys = async (suite: ProxiedSuite, client: ProxyClient): Promise<KeyStatuses> => {
  const statuses: number[] = [];
  // If a forged address counted, every one of them would be answered 401.
  for (let host = 1; host <= refusals + 3; host++) {
    const headers = { ...json, ...forgedHeaders(host), "x-svc-clientkey": "wrong" };
    statuses.push((await client.send("POST", "/access/v1/evaluation", headers, "{}")).status);
  }
  return { statuses, other: (await statusOfOther(suite)) ?? "nothing" };
};

const isLimited = ({ statuses, other }: KeyStatuses, isTrusted: boolean): boolean =>
  statuses.every((status) => status === 401 || status === 429) &&
  statuses.includes(429) &&
  other === (isTrusted ? "401" : "429");

/** Refused credentials count for the client where the proxy is trusted, else for all clients of the proxy. */
export const checkLimits = (suite: ProxiedSuite, isTrusted: boolean): Promise<Counts> =>
  withProxyClient(suite, async (client) => {
    let result = await sendWrongKeys(suite, client);
    // The counter of an address may expire meanwhile, but not twice in such a short time.
    if (!isLimited(result, isTrusted)) result = await sendWrongKeys(suite, client);
    const { statuses, other } = result;
    return verdict(
      isLimited(result, isTrusted),
      `${describeSetting(isTrusted)} wrong keys get ${statuses.join(", ")}, one from another address ${other}`,
    );
  });

/** An MCP server in the project, whose endpoint answers when this returns. */
const makeMcpServer = async (
  { environment, signal }: ProxiedSuite,
  { id, applicationId }: LoadProject,
  client: ProxyClient,
): Promise<void> => {
  const admin = openAdmin(environment);
  const agent = await admin.agents.create({
    name: "mcp",
    application_id: applicationId,
    api_permissions: ["Authorization"],
  });
  const introspect = await admin.introspects.create({
    name: "mcp",
    project_id: id,
    jwt_matcher: { issuer: testSettings.OIDC_ISSUER, audience: "mcp" },
    ikg_node_type: author.type,
  });
  await admin.mcpServers.create({
    name: "mcp",
    project_id: id,
    app_agent_id: agent.id,
    token_introspect_id: introspect.id,
    enabled: true,
    scopes_supported: ["openid"],
  });
  const isAvailable = async () => (await client.send("POST", `/mcp/v1/${id}`, json, "{}")).status === 401;
  await waitUntil(isAvailable, effectMs, signal);
};

/** The members of an answer; none where it is no JSON. */
const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
};

/** The URLs in answers to a client without a credential. */
const readUrls = async (client: ProxyClient, id: string, host: string): Promise<unknown[]> => {
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
  withProxyClient(suite, async (client) => {
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
    const faults: string[] = [];
    for (const host of [suite.entry.host, "other.example"]) {
      const urls = await readUrls(client, id, host);
      if (!isDeepStrictEqual(urls, expected)) faults.push(JSON.stringify(urls));
    }
    const text = `URLs of decisions, sign-in and MCP begin with ${url}`;
    return verdict(faults.length === 0, [text, ...faults].join("\n  "));
  });
