import {
  BaseSettings,
  CalledSettings,
  EgressSettings,
  ExpressionSettings,
  httpUrl,
  integer,
  ProjectLimitSettings,
  ProjectSettings,
  RefusalSettings,
  SealingSettings,
  signingKey,
} from "@ikg/service";
import { z } from "zod";

/** A list that is separated by commas or white space. */
const listOf = (description: string) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ""))
    .meta({ description });

/** Settings of the mcp service: those of every service, and its own. */
export const McpSettings = BaseSettings.extend({
  ...CalledSettings.shape,
  ...SealingSettings.shape,
  ...EgressSettings.shape,
  ...ProjectSettings.shape,
  ...ProjectLimitSettings.shape,
  ...RefusalSettings.shape,
  ...ExpressionSettings.shape,
  MCP_SIGNING_KEY: signingKey(
    "Private key (Ed25519) with which mcp signs the context of its calls to access and ciq; not that of the gateway.",
  ),
  UPSTREAM_ACCESS: httpUrl("Address of the access service."),
  UPSTREAM_CIQ: httpUrl("Address of the ciq service."),
  MCP_PUBLIC_URL: httpUrl("").optional().meta({
    description: "Address under which MCP clients reach the gateway; `PUBLIC_URL` when unset.",
  }),
  MCP_ALLOWED_ORIGINS: listOf(
    "Origins (`https://app.example.com`) or host names of web pages that may call; loopback names always may.",
  ),
  MCP_REQUIRED_SCOPES: listOf("Scopes that every token must have; none when unset."),
  MCP_REQUIRED_SCOPES_AUTHZEN_EVALUATE: listOf("Further scopes that a call of `authzen_evaluate` needs."),
  MCP_REQUIRED_SCOPES_CIQ_EXECUTE: listOf("Further scopes that a call of `ciq_execute` needs."),
  MCP_SESSION_IDLE_SECONDS: integer(1, 86_400, 1_800, "Idle seconds after which a session ends."),
  MCP_SESSIONS_PER_SUBJECT: integer(
    1,
    10_000,
    20,
    "Open sessions of one token subject in a project; one more ends the one idle longest.",
  ),
  MCP_SESSIONS_PER_ORGANIZATION: integer(
    1,
    10_000_000,
    20_000,
    "Open sessions of all projects of one organization; one more is refused.",
  ),
  MCP_STREAMS_PER_SUBJECT: integer(1, 10_000, 20, "Open streams of one token subject in one process."),
  MCP_STREAMS_PER_PROJECT: integer(1, 100_000, 500, "Open streams of one project in one process."),
  MCP_STREAMS: integer(1, 1_000_000, 5_000, "Open streams of one process."),
  MCP_MESSAGE_BYTES: integer(10_000, 10_485_760, 2_097_152, "Bytes of one message of a client; more is 413."),
  MCP_RESULT_BYTES: integer(
    1_000,
    100_000_000,
    1_000_000,
    "Bytes of the rows that one call of `ciq_execute` answers, and of a page of `resources/list`; the rest is on further pages.",
  ),
  MCP_RESULT_MEMORY_BYTES: integer(
    1_000_000,
    10_000_000_000,
    16_000_000,
    "Bytes of large results of tools that are held at one time. Further ones wait, then 429 or 503.",
  ),
  MCP_TOOL_TIMEOUT_MS: integer(100, 600_000, 30_000, "Limit of one tool call, in milliseconds."),
});

export type McpSettings = z.output<typeof McpSettings>;
