/**
 * A service that adds nothing: Node's own HTTP server before the statements by hand, on `PORT`. A body of `{rows}` is
 * answered with that page, one of `{note}` with the note's id.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import neo4j from "neo4j-driver";
import { byHand } from "./by-hand.ts";

const need = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const driver = neo4j.driver(
  need("NEO4J_URI"),
  neo4j.auth.basic(need("NEO4J_USERNAME"), need("NEO4J_PASSWORD")),
  { disableLosslessIntegers: true },
);
const { page, note } = byHand(driver, need("PROJECT_KEY"));

interface Question {
  readonly rows?: number;
  readonly note?: string;
}

const answer = async (body: string): Promise<object> => {
  const asked = JSON.parse(body) as Question; // of the measurement alone
  return asked.note === undefined ? { data: await page(asked.rows ?? 1) } : { note: await note(asked.note) };
};

const server = createServer((request, response) => {
  if (request.url === "/readyz") {
    response.end();
    return;
  }
  text(request)
    .then(answer)
    .then(
      (given) => response.setHeader("content-type", "application/json").end(JSON.stringify(given)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
server.keepAliveTimeout = 75_000;
server.listen(Number(need("PORT")), "127.0.0.1");
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void driver.close();
});
