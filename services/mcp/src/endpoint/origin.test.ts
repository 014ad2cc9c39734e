import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { openOrigins } from "./origin.ts";

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
const admits = (origins: ReturnType<typeof openOrigins>, headers: Record<string, string>): boolean =>
  origins.admit({ host: "127.0.0.1:8080", ...headers }, newResponse());

describe("who may call", () => {
  const ours = openOrigins(
    ["https://app.example.com", "tools.example"],
    "127.0.0.1",
    "https://mcp.example.com",
  );

  it.each([
    undefined,
    "http://localhost:6274",
    "https://localhost",
    "http://[::1]:8080",
    "http://127.0.0.1:3000",
    "https://app.example.com",
    "http://tools.example:8080",
  ])("pages of %s", (origin) => {
    expect(admits(ours, origin === undefined ? {} : { origin })).toBe(true);
  });

  it.each([
    "null",
    "",
    "nonsense",
    "https://evil.example",
    "https://app.example.com.evil.example",
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://localhost.evil.example",
    "https://localhost@evil.example",
    "file:///localhost",
    "http://localhost/path",
  ])("no pages of %j", (origin) => {
    expect(admits(ours, { origin })).toBe(false);
  });

  it("names of this machine and the public one, where it listens on loopback", () => {
    for (const host of ["localhost", "127.0.0.1:1", "[::1]:9", "mcp.example.com", "mcp.example.com:443"])
      expect(admits(ours, { host })).toBe(true);
    for (const host of ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "a b"])
      expect(admits(ours, { host })).toBe(false);
    const behind = openOrigins([], "0.0.0.0", "https://mcp.example.com");
    expect(admits(behind, { host: "mcp:8080" })).toBe(true);
  });

  it("lets a page that may call read the answer, and says that it depends on who calls", () => {
    const response = newResponse();
    ours.admit({ host: "localhost", origin: "http://localhost:6274" }, response);
    expect(response.getHeader("access-control-allow-origin")).toBe("http://localhost:6274");
    expect(response.getHeader("vary")).toBe("Origin");
    const other = newResponse();
    ours.admit({ host: "localhost", origin: "https://evil.example" }, other);
    expect(other.getHeaderNames()).toEqual([]);
  });
});
