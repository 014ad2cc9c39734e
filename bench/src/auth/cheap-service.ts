/** The service behind the proxies where only these are measured: it reads a request to its end and answers at once. */
import { createServer } from "node:http";

const answer = JSON.stringify({ decision: false });
const headers = {
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(answer),
  "Cache-Control": "no-store",
};

const server = createServer((request, response) => {
  request.on("end", () => response.writeHead(200, headers).end(answer)).resume();
});
server.keepAliveTimeout = 75_000;
server.listen(Number(process.env["PORT"]), "127.0.0.1");
