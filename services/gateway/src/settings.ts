import {
  BaseSettings,
  CompatSettings,
  EgressSettings,
  flag,
  GatewayContextSettings,
  httpUrl,
  integer,
  ProjectLimitSettings,
  RefusalSettings,
  secretKey,
  secretKeys,
} from "@ikg/service";
import { z } from "zod";
import { PeopleSettings } from "./people/settings.ts";
import { wrongEntry } from "./client-address/trusted-proxies.ts";

/** Settings of the gateway. */
export const GatewaySettings = BaseSettings.extend({
  ...GatewayContextSettings.shape,
  ...ProjectLimitSettings.shape,
  ...RefusalSettings.shape,
  CREDENTIAL_PEPPER: secretKey("Key of the hashes under which credentials are stored."),
  CREDENTIAL_FORMER_PEPPERS: secretKeys(
    "Keys under whose hashes credentials are good as well, separated by commas: the next one and the former ones while the pepper is rotated.",
  ),
  UPSTREAM_CONFIGS: httpUrl("Address of the configs service."),
  UPSTREAM_CAPTURE: httpUrl("Address of the capture service."),
  UPSTREAM_ACCESS: httpUrl("Address of the access service."),
  UPSTREAM_CIQ: httpUrl("Address of the ciq service."),
  UPSTREAM_MCP: httpUrl("").optional().meta({
    description: "Address of the mcp service; without it there is no `/mcp`.",
  }),
  UPSTREAM_AUDIT: httpUrl("").optional().meta({
    description: "Address of the audit service; without it there is no `/audit`.",
  }),
  UPSTREAM_SOCKETS: integer(
    1,
    10_000,
    1_024,
    "Connections to one service at most, for short calls and as many for what streams; to mcp `MAX_CONNECTIONS` of these where that is more.",
  ),
  BODY_MS: integer(1, 600_000, 10_000, "How long a caller may take to send a body."),
  CAPTURE_BODY_MS: integer(1, 600_000, 30_000, "The same for captures, whose bodies are larger."),
  LIMIT_CONFIGS_MS: integer(1, 600_000, 35_000, "Longest wait for the configs service."),
  LIMIT_CAPTURE_MS: integer(1, 600_000, 35_000, "Longest wait for the capture service."),
  LIMIT_ACCESS_MS: integer(1, 600_000, 10_000, "Longest wait for the access service."),
  LIMIT_CIQ_MS: integer(
    1,
    600_000,
    305_000,
    "Longest wait for the ciq service, whose longest reads take 300 s.",
  ),
  LIMIT_MCP_MS: integer(
    1,
    600_000,
    35_000,
    "Longest wait for the mcp service, and the longest silence of a stream of events.",
  ),
  LIMIT_AUDIT_MS: integer(1, 600_000, 35_000, "Longest wait for the audit service."),
  CIRCUIT_RESET_MS: integer(
    1,
    600_000,
    2_000,
    "How long an open circuit waits before it tries a service again.",
  ),
  HEADERS_MS: integer(1, 600_000, 10_000, "How long a caller may take to send the headers of a request."),
  ANONYMOUS_BODY_MS: integer(
    1,
    600_000,
    10_000,
    "How long a request may take to arrive that carries no accepted credential.",
  ),
  STREAM_BYTES_PER_SECOND: integer(
    0,
    1_000_000,
    256,
    "An import that brings less on average of CAPTURE_BODY_MS is given up with 408; 0: no limit.",
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    1,
    1_000_000,
    4_096,
    "Connections of one client address, or /64 network of IPv6, at one time. A proxy of TRUSTED_PROXIES may have any number.",
  ),
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .refine((text) => wrongEntry(text) === undefined, {
      error: (issue) =>
        `addresses and networks such as 10.0.0.0/8 expected, not ${wrongEntry(String(issue.input))}`,
    })
    .meta({
      description:
        "Addresses and networks (CIDR) of proxies in front, separated by commas. The client's address is what they report in `X-Forwarded-For` or `Forwarded`; empty: these headers are ignored.",
    }),
  PIPELINED_REQUESTS: integer(
    0,
    10_000,
    64,
    "Requests of one connection that wait while another one of it runs. More: 429.",
  ),
  CREDENTIAL_REQUESTS_IN_FLIGHT: integer(
    1,
    1_000_000,
    512,
    "Requests of one credential at one time, for each gateway. More: 429.",
  ),
  RATE_LIMIT_PER_SECOND: integer(
    0,
    1_000_000,
    0,
    "Requests of one credential in a second, over all gateways; 0: no limit. More: 429.",
  ),
  RATE_LIMIT_FAILED_PER_MINUTE: integer(
    0,
    1_000_000,
    1_200,
    "Refused credentials from one address in a minute, over all gateways; 0: no limit. Further refusals are 429 instead of 401; a valid credential is never refused.",
  ),
  RATE_LIMIT_ANONYMOUS_PER_SECOND: integer(
    0,
    1_000_000,
    200,
    "Requests from one address in a second, for each gateway, to `/mcp` without a token that was accepted in the last 10 minutes, to metadata documents, the API reference, the console and the keys of audit chains; 0: no limit. Those with another token are counted apart, a quarter for one token, and those whose token was refused in the last minute again, a quarter for all of them. More: 429.",
  ),
  API_REFERENCE: flag(
    false,
    "Serves the OpenAPI document at /openapi.json and shows it at /docs, without a credential.",
  ),
  CONSOLE: flag(
    false,
    "Serves the console, the pages for people, at /console; they call the public API with the credential of the signed-in user.",
  ),
  ...CompatSettings.shape,
  ...EgressSettings.shape,
  ...PeopleSettings.shape,
});
