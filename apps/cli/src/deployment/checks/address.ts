import { lookup } from "node:dns/promises";
import type { Connection } from "../../connection/connection.ts";
import { type Finding, ok, problem, warning } from "../finding.ts";
import { addressOf, probe } from "../probe.ts";

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

const checkName = async (host: string): Promise<Finding> => {
  const name = host.replace(/^\[|\]$/g, "");
  try {
    const { address } = await lookup(name);
    return ok("DNS", name === address ? name : `${name} is ${address}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return problem(
      "DNS",
      `${name} cannot be resolved (${code ?? String(error)})`,
      "check the host name of the address",
    );
  }
};

const tolerableMs = 30_000;

/** With a wrong clock, tokens seem to be expired or not yet valid. */
const checkClock = (date: string | null, now: number): Finding => {
  const gatewayTime = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(gatewayTime))
    return warning("clock", "the response of the gateway has no date", "check the proxy in front of it");
  const seconds = Math.round((now - gatewayTime) / 1_000);
  if (Math.abs(seconds) * 1_000 <= tolerableMs) return ok("clock", "in sync with the gateway");
  return problem(
    "clock",
    `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the gateway`,
    "synchronize the clocks of this computer and the suite with NTP",
  );
};

const checkTransport = ({ protocol, hostname }: URL): readonly Finding[] =>
  protocol === "http:" && !isLoopback(hostname)
    ? [warning("transport", "http: credentials are sent unencrypted", "use an https address")]
    : [];

const checkReadiness = async (connection: Connection): Promise<Finding> => {
  const { status } = await probe(addressOf(connection, "/readyz"));
  return status === 200
    ? ok("gateway", "ready")
    : problem(
        "gateway",
        `not ready (status ${status ?? "none"})`,
        "check its log, and whether its databases are reachable",
      );
};

/** Checks DNS, connection, clock and readiness. If one fails, no further checks run. */
export const checkAddress = async (connection: Connection): Promise<readonly Finding[]> => {
  const url = new URL(connection.url);
  const name = await checkName(url.hostname);
  if (name.result === "problem") return [name];
  const { status, headers, failure } = await probe(addressOf(connection, "/healthz"));
  if (failure !== undefined)
    return [
      name,
      problem(
        "connection",
        failure,
        `check that the suite is running at ${connection.url}, and proxies and firewalls`,
      ),
    ];
  if (status !== 200)
    return [
      name,
      problem(
        "connection",
        `${connection.url} responds with ${status}`,
        "check that this is the address of the gateway",
      ),
    ];
  return [
    name,
    ...checkTransport(url),
    ok("connection", connection.url),
    checkClock(headers.get("date"), Date.now()),
    await checkReadiness(connection),
  ];
};
