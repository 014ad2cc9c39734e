import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { CompatSettings } from "./compat-settings.ts";
import { BaseSettings, EgressSettings, flag, readSettings, secretKey, settingRows } from "./settings.ts";
import { StartError } from "../process/start-error.ts";

const complete = {
  PORT: "0",
  NEO4J_URI: "bolt://127.0.0.1:7687",
  NEO4J_PASSWORD: "p",
  REDIS_URL: "redis://127.0.0.1:6379",
};

const faults = (env: Record<string, string>): readonly string[] => {
  try {
    readSettings(BaseSettings, env);
  } catch (error) {
    if (error instanceof StartError) return error.lines;
    throw error;
  }
  return [];
};

describe("settings", () => {
  it("come with defaults and types", () => {
    expect(readSettings(BaseSettings, { ...complete, PUBLIC_URL: "https://ikg.example.com/" })).toMatchObject(
      {
        PORT: 0,
        HOST: "127.0.0.1",
        NEO4J_USERNAME: "neo4j",
        NEO4J_DATABASE: "neo4j",
        LOG_LEVEL: "http",
        PUBLIC_URL: "https://ikg.example.com",
        DRAIN_SECONDS: 10,
      },
    );
    expect(readSettings(BaseSettings, complete)).not.toHaveProperty("METRICS_PORT");
  });

  it("tell all faults at once, by name and without the value", () => {
    expect(
      faults({
        ...complete,
        PORT: "http",
        NEO4J_URI: "localhost",
        NEO4J_PASSWORD: "",
      }),
    ).toEqual([
      "PORT: integer from 0 to 65535 expected",
      "NEO4J_URI: bolt:// or neo4j:// URL expected",
      "NEO4J_PASSWORD: required but not set",
    ]);
    expect(faults({})).toEqual([
      "PORT: required but not set",
      "NEO4J_URI: required but not set",
      "NEO4J_PASSWORD: required but not set",
      "REDIS_URL: required but not set",
    ]);
  });

  it.each([
    ["PORT", "70000"],
    ["PORT", "1.5"],
    ["LOG_LEVEL", "loud"],
    ["DRAIN_SECONDS", "-1"],
    ["NEO4J_POOL_SIZE", "0"],
    ["REDIS_URL", "http://x"],
    ["PUBLIC_URL", "ikg.example.com"],
  ])("refuse %s=%s", (name, value) => {
    expect(faults({ ...complete, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it("read flags and lists", () => {
    const schema = EgressSettings.extend({ COMPAT: flag(true, "x") });
    expect(
      readSettings(schema, { EGRESS_ALLOW_CIDRS: "127.0.0.0/8, 10.0.0.0/8,", EGRESS_ALLOW_HTTP: "true" }),
    ).toEqual({
      EGRESS_ALLOW_HTTP: true,
      EGRESS_ALLOW_HOSTS: [],
      EGRESS_ALLOW_CIDRS: ["127.0.0.0/8", "10.0.0.0/8"],
      TOKEN_CLOCK_SKEW_SECONDS: 60,
      COMPAT: true,
    });
    expect(() => readSettings(schema, { COMPAT: "yes" })).toThrow("COMPAT: true or false expected");
  });

  it("read aliases: all, none, or those that are named", () => {
    const read = (COMPAT_ALIASES?: string) => [
      ...readSettings(CompatSettings, COMPAT_ALIASES === undefined ? {} : { COMPAT_ALIASES }).COMPAT_ALIASES,
    ];
    expect([read(), read("false"), read("true").length]).toEqual([[], [], 4]);
    expect(read("execute, absent-tags")).toEqual(["execute", "absent-tags"]);
    for (const wrong of ["yes", "execute,", "true,execute", "Execute"])
      expect(() => read(wrong)).toThrow("COMPAT_ALIASES: true, false, or some of client-key, execute, ");
  });

  it("make a table with defaults, and mark what is secret", () => {
    const rows = settingRows(
      z.object({
        ...BaseSettings.shape,
        CREDENTIAL_PEPPER: secretKey("x"),
        INTERNAL_CONTEXT_KEY: secretKey("y").optional(),
      }),
    );
    expect(rows.find(({ name }) => name === "HOST")).toEqual({
      name: "HOST",
      required: false,
      default: "127.0.0.1",
      secret: false,
      description: "Address that the servers listen on.",
    });
    expect(rows.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      "NEO4J_PASSWORD",
      "REDIS_URL",
      "CREDENTIAL_PEPPER",
      "INTERNAL_CONTEXT_KEY",
    ]);
    expect(rows.every(({ description }) => description !== "")).toBe(true);
  });
});
