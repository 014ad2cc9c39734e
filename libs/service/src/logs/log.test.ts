import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { transports } from "winston";
import { openLog } from "./log.ts";

const lines: Record<string, unknown>[] = [];
const log = openLog("access", "http");
log.clear().add(
  new transports.Stream({
    stream: new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        // Every line of the log is one JSON object.
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    }),
  }),
);

const written = async (): Promise<Record<string, unknown>> => {
  await new Promise(setImmediate);
  return lines.at(-1) ?? {};
};

describe("the log", () => {
  it("writes time, level, service, message and fields", async () => {
    log.info("listening", { port: 1 });
    expect(await written()).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      service: "access",
      msg: "listening",
      port: 1,
    });
  });

  it("masks what is named like a secret, at any depth", async () => {
    log.warn("x", {
      password: "p",
      a: { Authorization: "Bearer t", client_secret: "c", b: [{ token: "t" }] },
    });
    expect(await written()).toMatchObject({
      password: "********",
      a: { Authorization: "********", client_secret: "********", b: [{ token: "********" }] },
    });
  });

  it("shows an error with its causes", async () => {
    log.error("failed", { error: new Error("outer", { cause: new TypeError("inner") }) });
    expect(await written()).toMatchObject({
      error: { name: "Error", message: "outer", cause: { name: "TypeError", message: "inner" } },
    });
  });

  it("cuts long texts, also those of errors", async () => {
    const long = "x".repeat(100_000);
    const cut = `${"x".repeat(16_384)} …`;
    log.warn("request failed", { cause: long });
    expect(await written()).toMatchObject({ cause: cut });
    log.error("request failed", { error: new Error(long) });
    expect(await written()).toMatchObject({ error: { message: cut } });
  });

  it("leaves out what is below its level", async () => {
    const before = lines.length;
    log.debug("no");
    await written();
    expect(lines.length).toBe(before);
  });
});
