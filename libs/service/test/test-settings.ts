import { createHmac } from "node:crypto";
import { signInternalContext } from "@ikg/auth";
import { type AgentCaller, newGid } from "@ikg/contracts";
import { BaseSettings, readSettings } from "../src/settings.ts";

const key = createHmac("sha256", "test").digest();
export const agent: AgentCaller = {
  kind: "agent",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Authorization"],
};
export const settings = readSettings(BaseSettings, {
  PORT: "0",
  LOG_LEVEL: "error",
  NEO4J_URI: "bolt://127.0.0.1:1",
  NEO4J_PASSWORD: "p",
  // A Redis database of these tests alone: an audit service consumes what waits in its streams.
  REDIS_URL: `${(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379").replace(/\/\d+$/, "")}/8`,
  INTERNAL_CONTEXT_KEY: key.toString("base64"),
});

export const sign = signInternalContext(key);
