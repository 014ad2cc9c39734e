/** The images of the services, as docker-compose.yml names them. */
import { step } from "../../launch/progress.mjs";
import { redisPasswords } from "../stores/redis-users.ts";
import { inheritEnvironment } from "../services/variables.ts";
import { compose } from "./compose.ts";

/** Variables that the file requires at the start; a build uses none of them. */
const unread = {
  NEO4J_PASSWORD: "-",
  REDIS_PASSWORD: "-",
  ...redisPasswords("-"),
  GATEWAY_SIGNING_KEY: "-",
  GATEWAY_PUBLIC_KEYS: "-",
  MCP_SIGNING_KEY: "-",
  MCP_PUBLIC_KEYS: "-",
  INTERNAL_CONTEXT_KEY: "-",
  TOKEN_SEALING_KEY: "-",
  CREDENTIAL_PEPPER: "-",
  CONFIG_ENCRYPTION_KEY: "-",
};

/** @param files of compose, which may be those of another tree, and name its images otherwise */
export const buildImages = (
  signal: AbortSignal,
  files: readonly string[] = ["docker-compose.yml"],
  of = "the services",
): Promise<unknown> =>
  step(`images of ${of} (docker compose build)`, () =>
    compose({ name: "ikg", files, signal, env: { ...inheritEnvironment(process.env), ...unread } }, "build"),
  );
