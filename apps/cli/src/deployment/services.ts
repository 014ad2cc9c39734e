import type { Connection } from "../connection/connection.ts";
import { addressOf, probe } from "./probe.ts";

export type ServiceState = "up" | "down" | "unknown";

interface Question {
  readonly path: string;
  /** Which credential the gateway wants to see before the service is asked. */
  readonly as: "token" | "key" | "anybody";
  readonly init?: RequestInit;
}

/** A request for each service that changes nothing; its answer shows that the service is there. */
const questions: Readonly<Record<string, Question>> = {
  gateway: { path: "/readyz", as: "anybody" },
  configs: { path: "/configs/v1/organizations/current", as: "token" },
  access: {
    path: "/access/v1/evaluation",
    as: "key",
    init: { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" },
  },
  ciq: { path: "/ciq/v1/whoami", as: "key" },
  capture: { path: "/capture/v1/imports", as: "key" },
  audit: { path: "/audit/v1/checkpoints?pagesize=1", as: "token" },
};

const headersOf = (connection: Connection, { as, init }: Question): Record<string, string> | undefined => {
  const given = (init?.headers ?? {}) as Record<string, string>; // written above
  if (as === "anybody") return given;
  const { token, clientKey } = connection;
  if (as === "token") return token === undefined ? undefined : { ...given, Authorization: `Bearer ${token}` };
  return clientKey === undefined ? undefined : { ...given, "X-SVC-ClientKey": clientKey };
};

const stateOf = (status: number | undefined): ServiceState => {
  if (status === undefined || status >= 500) return "down";
  // The gateway answers these for the services behind it.
  return status === 401 || status === 403 || status === 429 ? "unknown" : "up";
};

/** What services show through the gateway; unknown where no credential opens them. */
export const serviceStates = async (
  connection: Connection,
): Promise<Readonly<Record<string, ServiceState>>> => {
  const entries = await Promise.all(
    Object.entries(questions).map(async ([name, question]) => {
      const headers = headersOf(connection, question);
      if (headers === undefined) return [name, "unknown"] as const;
      const { status } = await probe(addressOf(connection, question.path), { ...question.init, headers });
      // Without a person's token ciq refuses by itself: that is an answer of the service.
      return [name, name === "ciq" && status === 401 ? "up" : stateOf(status)] as const;
    }),
  );
  return Object.fromEntries(entries);
};
