/**
 * The baseline of the gateway: Express and the same proxy library on connections that are kept, and nothing else. No
 * credential, no table of operations, no limit, no breaker, no log line.
 */
import express from "express";
import { createProxyMiddleware } from "http-proxy-middleware";
import { Agent } from "node:http";

const sockets = 1_024;

const app = express();
app.disable("x-powered-by");
app.use(
  createProxyMiddleware({
    // Parsed once, as the gateway has it.
    target: new URL(process.env["TARGET"] ?? ""),
    agent: new Agent({ keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets }),
    // The library's own plugins only log and answer failures, which would be held against it.
    ejectPlugins: true,
  }),
);
const server = app.listen(Number(process.env["PORT"]), "127.0.0.1");
server.keepAliveTimeout = 75_000;
