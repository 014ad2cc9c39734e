import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ciqFlags } from "../../../stack/src/parts/services.ts";
import { memoryMb } from "../../../stack/src/processes/memory.ts";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type Gid, newGid, type Permission } from "@ikg/contracts";
import { consistencyTokens } from "@ikg/service";
import { type Json, setting } from "./ciq-under-test.ts";
import type { StoredProject } from "./stored-project.ts";

/** What a call brings besides its body. */
export interface Sending {
  readonly method?: string;
  readonly json?: unknown;
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly permissions?: readonly Permission[];
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: Json;
}

/** The ciq service as a process of a test's own, and an agent who calls it as the gateway lets it. */
export interface CiqProcess {
  readonly url: string;
  readonly application: Gid;
  /** Calls as an agent of the project, who may do everything unless told otherwise. */
  send(project: StoredProject, path: string, sending?: Sending): Promise<Answer>;
  execute(project: StoredProject, json: unknown, sending?: Sending): Promise<Answer>;
  /** Asks and reads nothing of the answer. */
  askUnread(project: StoredProject, json: unknown): Promise<Socket>;
  /** A consistency token of the project that names these states. */
  consistencyToken(project: StoredProject, states: Readonly<Record<string, readonly string[]>>): string;
  /** Resident memory in MiB. */
  memory(): number;
  output(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  return port;
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
};

/** Starts the service with these variables besides its databases and keys, and waits until it is ready. */
export const startCiqProcess = async (
  variables: Readonly<Record<string, string>> = {},
): Promise<CiqProcess> => {
  const key = randomBytes(32);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(process.execPath, [...ciqFlags, main], {
    env: {
      PATH: process.env["PATH"],
      NEO4J_URI: setting("NEO4J_URI"),
      NEO4J_USERNAME: setting("NEO4J_USERNAME"),
      NEO4J_PASSWORD: setting("NEO4J_PASSWORD"),
      REDIS_URL: setting("REDIS_URL"),
      INTERNAL_CONTEXT_KEY: key.toString("base64"),
      CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      LOG_LEVEL: "warn",
      ...variables,
      PORT: String(port),
    },
  });
  const exited = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => (output += piece.toString()));
  for (const until = Date.now() + 60_000; !(await isReady(url)); await pause(50))
    if (Date.now() > until || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`the service is not ready: ${output.slice(-2_000)}`);
    }
  const application = newGid("application");
  const tokens = consistencyTokens(key);
  const signed = signInternalContext(key);

  const contextFor = (project: StoredProject, permissions: readonly Permission[]): Promise<string> =>
    signed(
      {
        kind: "agent",
        credential_kid: "test",
        org: project.organizationId,
        project: project.id,
        application,
        agent: newGid("application_agent"),
        permissions: [...permissions],
      },
      "ciq",
    );

  const send: CiqProcess["send"] = async (project, path, sending = {}) => {
    const { json, bearer, permissions = ["ContXIQ", "ReadAuthZConfigs"], signal } = sending;
    const context = await contextFor(project, permissions);
    const answer = await fetch(url + path, {
      method: sending.method ?? (json === undefined ? "GET" : "POST"),
      headers: {
        [internalContextHeader]: context,
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...sending.headers,
      },
      ...(json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const body = (await answer.json()) as Json; // every answer is a JSON object
    return { status: answer.status, headers: answer.headers, body };
  };

  return {
    url,
    application,
    send,
    execute: (project, json, sending) => send(project, "/ciq/v1/execute", { json, ...sending }),
    askUnread: async (project, json) => {
      const context = await contextFor(project, ["ContXIQ"]);
      const body = JSON.stringify(json);
      const socket = connect(port, "127.0.0.1").pause();
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(
        `POST /ciq/v1/execute HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
          `${internalContextHeader}: ${context}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return socket;
    },
    consistencyToken: (project, states) => tokens.issue(project.id, states),
    memory: () => Math.round(memoryMb(child.pid)),
    output: () => output,
    end: async (signal = "SIGTERM") => {
      child.kill(signal);
      await exited;
    },
  };
};

/** An issuer of tokens whose keys are given with its configuration. */
export const tokenIssuer = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const issuer = `https://${randomBytes(6).toString("hex")}.example`;
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return {
    /** Fields of a token introspect, as they are stored. */
    introspect: (more: Json = {}): Json => ({
      jwt_matcher: { issuer, audience: "app" },
      offline_validation: { public_jwks: [JSON.stringify(publicKey.export({ format: "jwk" }))] },
      claims_mapping: {},
      ikg_node_type: "Nurse",
      perform_upsert: false,
      ...more,
    }),
    /** Signed by hand: these tests are not about forms of tokens. */
    sign: (claims: Json): string => {
      const now = Math.floor(Date.now() / 1000);
      const body = { iss: issuer, aud: "app", iat: now, exp: now + 300, ...claims };
      const text = `${part({ alg: "EdDSA" })}.${part(body)}`;
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString("base64url")}`;
    },
  };
};
