import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type Caller, type Gid, type Grants, newGid, type Permission } from "@ikg/contracts";
import { consistencyTokens } from "@ikg/service";
import { ciqFlags } from "../../../stack/src/services/services.ts";
import { gatewayOfTests, keysOfTests, targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import type { Json } from "./ciq-under-test.ts";
import type { StoredProject } from "./stored-project.ts";

/** What a call brings besides its body. */
export interface Sending {
  readonly method?: string;
  readonly json?: unknown;
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly permissions?: readonly Permission[];
  /** Calls as a service account with these roles instead of an agent. */
  readonly grants?: Grants;
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
  /** Calls as an agent of the project, with every permission unless `permissions` says otherwise. */
  send(project: StoredProject, path: string, sending?: Sending): Promise<Answer>;
  execute(project: StoredProject, json: unknown, sending?: Sending): Promise<Answer>;
  /** Sends a query and reads nothing of the response. */
  askUnread(project: StoredProject, json: unknown): Promise<Socket>;
  /** A consistency token of the project that names these states. */
  consistencyToken(project: StoredProject, states: Readonly<Record<string, readonly string[]>>): string;
  /** Resident memory in MiB. */
  memory(): number;
  output(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A service account of the project's organization. */
const accountOf = ({ organizationId: org }: StoredProject, grants: Grants): Caller => ({
  kind: "service_account",
  credential_kid: "test-account",
  org,
  service_account: newGid("service_account"),
  grants,
});

/** Agents of projects, who call a process of ciq as the gateway lets them. */
class Agents {
  readonly application = newGid("application");
  readonly #port: number;
  readonly #sign = signInternalContext(gatewayOfTests.privateKey, "gateway");

  constructor(port: number) {
    this.#port = port;
  }

  async send(project: StoredProject, path: string, sending: Sending = {}): Promise<Answer> {
    const { json, bearer, permissions = ["ContXIQ", "ReadAuthZConfigs"], grants, signal } = sending;
    const method = sending.method ?? (json === undefined ? "GET" : "POST");
    const caller = grants === undefined ? this.#agentOf(project, permissions) : accountOf(project, grants);
    const context = await this.#sign(caller, targetOf("ciq", method, path));
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method,
      headers: {
        [internalContextHeader]: context,
        ...(json === undefined ? {} : { "Content-Type": "application/json" }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...sending.headers,
      },
      ...(json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const body = (await response.json()) as Json; // every response is a JSON object
    return { status: response.status, headers: response.headers, body };
  }

  async sendUnread(project: StoredProject, json: unknown): Promise<Socket> {
    const target = targetOf("ciq", "POST", "/ciq/v1/execute");
    const context = await this.#sign(this.#agentOf(project, ["ContXIQ"]), target);
    const body = JSON.stringify(json);
    const socket = connect(this.#port, "127.0.0.1").pause();
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `POST /ciq/v1/execute HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
        `${internalContextHeader}: ${context}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return socket;
  }

  #agentOf({ id, organizationId }: StoredProject, permissions: readonly Permission[]): Caller {
    return {
      kind: "agent",
      credential_kid: "test",
      org: organizationId,
      project: id,
      application: this.application,
      agent: newGid("application_agent"),
      permissions: [...permissions],
    };
  }
}

/** Starts the service with these variables besides its databases and keys, and waits until it is ready. */
export const startCiqProcess = async (
  variables: Readonly<Record<string, string>> = {},
): Promise<CiqProcess> => {
  const env = {
    ...neo4jVariables(),
    REDIS_URL: requireVariable("REDIS_URL"),
    ...keysOfTests,
    CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    LOG_LEVEL: "warn",
    ...variables,
  };
  const { url, port, running } = await startServiceProcess("ciq", env, ciqFlags);
  const agents = new Agents(port);
  const tokens = consistencyTokens(Buffer.from(keysOfTests.TOKEN_SEALING_KEY, "base64"));
  return {
    url,
    application: agents.application,
    send: (project, path, sending) => agents.send(project, path, sending),
    execute: (project, json, sending) => agents.send(project, "/ciq/v1/execute", { json, ...sending }),
    askUnread: (project, json) => agents.sendUnread(project, json),
    consistencyToken: (project, states) => tokens.issue(project.id, states),
    memory: () => Math.round(running.residentMb()),
    output: () => running.output(),
    end: (signal) => running.end(signal),
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
