import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type InternalContext, internalContextHeader, verifyInternalContext } from "@ikg/auth";
import type { ServiceName } from "@ikg/contracts";
import { gatewayOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { pepper } from "./tenant.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** What a service reads of a request that has reached it. */
export const contextOf = (
  headers: IncomingHttpHeaders,
  service: ServiceName,
  route: string,
  method = "POST",
): Promise<InternalContext> => {
  const verify = verifyInternalContext({ gateway: [gatewayOfTests.publicKey], mcp: [] }, service);
  return verify(String(headers[internalContextHeader]), { method, route });
};

export interface GatewayProcess {
  readonly url: string;
  readonly logs: Record<string, unknown>[];
  /** Ends it with SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
}

/** Starts the gateway as it runs in production, on a free port, and waits until it listens. */
export const startGateway = async (settings: Readonly<Record<string, string>>): Promise<GatewayProcess> => {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"],
      // Of the launcher: what was compiled once is not compiled by every process.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...neo4jVariables(),
      REDIS_URL: requireVariable("REDIS_URL"),
      GATEWAY_SIGNING_KEY: gatewayOfTests.signingKey,
      CREDENTIAL_PEPPER: pepper.toString("base64"),
      PORT: "0",
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("the gateway has no output");
  const logs: Record<string, unknown>[] = [];
  const exited = once(child, "exit");
  const port = await new Promise<number>((resolve, reject) => {
    void exited.then(([code]) =>
      reject(new Error(`the gateway ended with ${String(code)} before it listened`)),
    );
    createInterface(child.stdout ?? process.stdin).on("line", (line) => {
      // The gateway writes one JSON object per line.
      const entry = JSON.parse(line) as Record<string, unknown>;
      logs.push(entry);
      if (entry["msg"] === "listening") resolve(Number(entry["port"]));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logs,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await exited;
      return typeof code === "number" ? code : null;
    },
  };
};
