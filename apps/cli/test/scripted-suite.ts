import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandRun, runIkg } from "./command-environment.ts";
import type { CommandEnvironment } from "../src/command-environment.ts";

/** A response by method and path: `GET /configs/v1/export`. */
export type Answers = Readonly<Record<string, (request: ScriptedRequest) => readonly [number, unknown]>>;

export interface ScriptedRequest {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers requests of one command after the other from a script; 404 for what it does not have. */
export class ScriptedSuite {
  answers: Answers = {};
  /** Method and path of each request. */
  requests: string[] = [];
  readonly #server: Server;
  /** What commands remember from one to the next. */
  readonly #state = mkdtempSync(join(tmpdir(), "ikg-state-"));

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (piece: Buffer) => (text += piece.toString()));
      request.on("end", () => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://suite");
        const call = `${request.method} ${decodeURIComponent(pathname)}`;
        this.requests.push(call);
        const body = (text === "" ? {} : JSON.parse(text)) as ScriptedRequest["body"];
        const [status, answer] = this.answers[call]?.({
          query: searchParams,
          headers: request.headers,
          body,
        }) ?? [404, { message: "Not Found" }];
        response.writeHead(status, { "Content-Type": "application/json" }).end(`${JSON.stringify(answer)}\n`);
      });
    });
  }

  static async start(): Promise<ScriptedSuite> {
    const suite = new ScriptedSuite();
    await once(suite.#server.listen(0, "127.0.0.1"), "listening");
    return suite;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens
    return `http://127.0.0.1:${port}`;
  }

  /** Runs a command against it, in a project with the gid `gid:p` unless variables say another one. */
  run(args: readonly string[], given: Partial<CommandEnvironment> = {}): Promise<CommandRun> {
    const variables = {
      HOME: "/nonexistent",
      XDG_STATE_HOME: this.#state,
      IKG_HOME: "/nonexistent",
      IKG_URL: this.url,
      IKG_TOKEN: "t",
      IKG_PROJECT: "gid:p",
      ...given.variables,
    };
    return runIkg(args, { ...given, variables });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#state, { recursive: true, force: true });
  }
}
