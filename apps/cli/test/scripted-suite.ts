import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type CommandRun, runIkg } from "./surroundings.ts";
import type { Surroundings } from "../src/surroundings.ts";

/** A response by method and path: `GET /configs/v1/export`. */
export type Answers = Readonly<Record<string, (request: ScriptedRequest) => readonly [number, unknown]>>;

export interface ScriptedRequest {
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers requests of one command after the other from a script; 404 for what it does not have. */
export class ScriptedSuite {
  answers: Answers = {};
  /** Method and path of each request. */
  requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (piece: Buffer) => (text += piece.toString()));
      request.on("end", () => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://suite");
        const call = `${request.method} ${decodeURIComponent(pathname)}`;
        this.requests.push(call);
        const body = (text === "" ? {} : JSON.parse(text)) as ScriptedRequest["body"];
        const [status, answer] = this.answers[call]?.({ query: searchParams, body }) ?? [
          404,
          { message: "Not Found" },
        ];
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
  run(args: readonly string[], given: Partial<Surroundings> = {}): Promise<CommandRun> {
    const environment = {
      HOME: "/nonexistent",
      IKG_HOME: "/nonexistent",
      IKG_URL: this.url,
      IKG_TOKEN: "t",
      IKG_PROJECT: "gid:p",
      ...given.environment,
    };
    return runIkg(args, { ...given, environment });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
