import { curl, tokenHeader } from "../../../snippets/curl.ts";
import { shellWord } from "../../../snippets/shell-word.ts";

export interface Snippet {
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
  readonly text: string;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "curl", version: "1" } },
};

/**
 * Ways to connect to the endpoint. None has a credential: clients sign in by themselves, or take a token from a variable.
 *
 * @param name of the MCP server, as clients list it
 */
export const snippetsOf = (name: string, address: string): readonly Snippet[] => [
  {
    label: "A client that signs in",
    hint: "Most clients read such a file, and sign in when they connect.",
    text: JSON.stringify({ mcpServers: { [name]: { type: "http", url: address } } }, null, 2),
  },
  {
    label: "A client with a token",
    hint: "For clients that do not sign in: insert the person's token.",
    text: JSON.stringify(
      { mcpServers: { [name]: { type: "http", url: address, headers: { Authorization: "Bearer $TOKEN" } } } },
      null,
      2,
    ),
  },
  {
    label: "curl",
    hint: "Opens a session; $TOKEN is the token of a person.",
    text: curl(address, [tokenHeader, "Accept: application/json, text/event-stream"], initialize, "-sS -i"),
  },
  {
    label: "MCP inspector",
    hint: "Lists the tools; $TOKEN is the token of a person.",
    text: [
      "npx @modelcontextprotocol/inspector --cli",
      shellWord(address),
      "--transport http",
      `--header "${tokenHeader}"`,
      "--method tools/list",
    ].join(" \\\n  "),
  },
];
