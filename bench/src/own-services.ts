/** Services of a measurement's own, as the suite starts them. */
import { publicKeyOf } from "../../stack/src/signing-keys.ts";
import type { Target } from "./settings.ts";

/** @param name of its folder */
export const serviceProgram = (name: string): URL =>
  new URL(`../../services/${name}/src/main.ts`, import.meta.url);

export const gatewayProgram = serviceProgram("gateway");
export const accessProgram = serviceProgram("access");

type Environment = Readonly<Record<string, string>>;

/** Settings of every service for the suite's stores. */
export const storesOf = (target: Target): Environment => ({
  NEO4J_URI: target.neo4j.uri,
  NEO4J_USERNAME: target.neo4j.username,
  NEO4J_PASSWORD: target.neo4j.password,
  REDIS_URL: target.redisUrl,
  GATEWAY_SIGNING_KEY: target.gatewaySigningKey,
  GATEWAY_PUBLIC_KEYS: publicKeyOf(target.gatewaySigningKey),
  TOKEN_SEALING_KEY: target.tokenSealingKey,
});

/** The environment of a gateway with one service in the place of every one behind it. */
export const gatewayBefore = (target: Target, upstream: string): Environment => ({
  ...storesOf(target),
  CREDENTIAL_PEPPER: target.credentialPepper,
  UPSTREAM_CONFIGS: upstream,
  UPSTREAM_CAPTURE: upstream,
  UPSTREAM_ACCESS: upstream,
  UPSTREAM_CIQ: upstream,
  UPSTREAM_MCP: upstream,
  UPSTREAM_AUDIT: upstream,
});
