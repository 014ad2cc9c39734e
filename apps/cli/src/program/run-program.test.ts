import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { runIkg } from "../../test/command-environment.ts";
import { describeProgram } from "./describe-program.ts";

const servers: Server[] = [];

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a server that listens
};

const answering =
  (status: number, body: object): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Request-ID": "r-1" });
    response.end(JSON.stringify(body));
  };

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const nowhere = { HOME: "/nonexistent", IKG_HOME: "/nonexistent" };
const at = (url: string) => ({ ...nowhere, IKG_URL: url, IKG_CLIENT_KEY: "key", IKG_TOKEN: "token" });
const question = ["may", "Person/ann", "READ", "Document/d1"];

describe("a command line that cannot be carried out", () => {
  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ["an unknown command", ["wolk"], "error: unknown command 'wolk'"],
    ["an unknown option", ["status", "--wolk"], "error: unknown option '--wolk'"],
    ["a missing argument", ["may", "Person/ann"], "error: missing required argument 'action'"],
    ["too many arguments", ["status", "now"], "error: too many arguments for 'status'"],
    ["a subject without an id", ["may", "Person", "READ", "Document/d1"], "Type/id expected"],
    ["a parameter without a value", [...question, "-p", "limit"], "name=value expected"],
    ["an unknown form of output", ["status", "-o", "xml"], "Allowed choices are table, json"],
    ["an unknown collection", ["get", "cats"], "one of projects,"],
    ["no deployment", question, "error: no deployment: use --url"],
    ["an address that is none", [...question, "--url", "ftp://x"], "ftp://x is not an http or https address"],
    ["an unknown context", [...question, "--context", "moon"], "unknown context moon"],
    ["no consent", ["delete", "queries", "q", "--url", "http://127.0.0.1:9"], "no service account token"],
  ];
  for (const [title, args, message] of wrong)
    it(`${title}: one line, and 2`, async () => {
      const { code, output, errors } = await runIkg(args, { variables: nowhere });
      expect([code, output]).toEqual([2, ""]);
      expect(errors).toMatch(/^error: .*\n$/);
      expect(errors).toContain(message);
    });

  it("no server: one line, and 2", async () => {
    const { code, output, errors } = await runIkg([...question, "--timeout", "0.3"], {
      variables: at("http://127.0.0.1:9"),
    });
    expect([code, output]).toEqual([2, ""]);
    expect(errors).toMatch(/^error: .*http:\/\/127\.0\.0\.1:9.*\n$/);
  });

  const refusals: readonly (readonly [number, string, string])[] = [
    [401, "Unauthorized", "The credential was rejected"],
    [403, "permission missing: Authorization", "The credential is valid but not permitted to do this"],
    [422, "Unprocessable Entity", "Unprocessable Entity"],
    [500, "Internal Server Error", "request id r-1"],
  ];
  for (const [status, message, expected] of refusals)
    it(`status ${status}: one line, and 2`, async () => {
      const url = await serve(answering(status, { message }));
      const { code, output, errors } = await runIkg(question, { variables: at(url) });
      expect([code, output]).toEqual([2, ""]);
      expect(errors).toMatch(/^error: .*\n$/);
      expect(errors).toContain(expected);
    });
});

describe("a result", () => {
  it("is 0 for yes and 1 for no, and nothing else is on standard output", async () => {
    for (const [decision, code, word] of [
      [true, 0, "granted\n"],
      [false, 1, "denied\n"],
    ] as const) {
      const url = await serve(answering(200, { decision }));
      expect(await runIkg(question, { variables: at(url) })).toEqual({ code, output: word, errors: "" });
      const { output } = await runIkg([...question, "-o", "json"], { variables: at(url) });
      expect(JSON.parse(output)).toEqual({ decision });
    }
  });

  it("has colours on a terminal alone, and never with NO_COLOR", async () => {
    const variables = at(await serve(answering(200, { decision: true })));
    const run = async (given: object) => (await runIkg(question, { variables, ...given })).output;
    expect(await run({ outputIsTerminal: true })).toContain("\u001b[");
    expect(await run({})).toBe("granted\n");
    const quiet = { outputIsTerminal: true, variables: { ...variables, NO_COLOR: "1" } };
    expect(await run(quiet)).toBe("granted\n");
  });

  it("sends parameters, properties and tags as they were typed", async () => {
    let sent: unknown;
    const url = await serve((request, response) => {
      let text = "";
      request.on("data", (piece: Buffer) => (text += piece.toString()));
      request.on("end", () => {
        sent = JSON.parse(text);
        answering(200, { decision: true })(request, response);
      });
    });
    const options = ["-p", "limit=3", "-p", "code=007", "-p", 'list=["a"]', "--tag", "safety"];
    const properties = ["--property", "subject.age=7", "--property", "context.ip=::1"];
    await runIkg([...question, ...options, ...properties], { variables: at(url) });
    expect(sent).toEqual({
      subject: { type: "Person", id: "ann", properties: { age: 7 } },
      action: { name: "READ" },
      resource: { type: "Document", id: "d1" },
      context: { input_params: { limit: 3, code: "007", list: ["a"] }, policy_tags: ["safety"], ip: "::1" },
    });
  });
});

describe("the help", () => {
  it("of every command fits a terminal of 60 columns, examples and usage aside", async () => {
    const { commands } = await describeProgram();
    for (const path of ["", ...commands.map((each) => each.path)]) {
      const { code, output, errors } = await runIkg([...path.split(" ").filter(Boolean), "--help"], {
        columns: 60,
      });
      expect([path, code, errors]).toEqual([path, 0, ""]);
      const [text = ""] = output.split("\nExamples:");
      const isUsage = (line: string): boolean => line.startsWith("Usage:");
      expect(text.split("\n").filter((line) => line.length > 60 && !isUsage(line))).toEqual([]);
    }
  });

  it("of the program has the variables, and no section for the help alone", async () => {
    const { output } = await runIkg(["--help"]);
    for (const name of ["IKG_HOME", "IKG_PROJECT", "IKG_TOKEN", "IKG_CLIENT_KEY"])
      expect(output).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(output).not.toMatch(/^Commands:/m);
  });

  it("of every command has examples and exit codes", async () => {
    const { commands } = await describeProgram();
    for (const { path } of commands) {
      const { output } = await runIkg([...path.split(" "), "--help"]);
      expect(output).toContain("Examples:\n  # ");
      expect(output).toContain("Exit codes: 0: ");
    }
  });
});
