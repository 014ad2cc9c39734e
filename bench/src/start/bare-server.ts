/** An HTTP server and nothing else, which is ready as soon as it listens. */
import { createServer } from "node:http";

const server = createServer((_request, response) => response.end()).listen(
  Number(process.env["PORT"]),
  "127.0.0.1",
);
process.once("SIGTERM", () => server.close().closeAllConnections());
