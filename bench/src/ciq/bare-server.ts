/**
 * A service that adds nothing: Node's own HTTP server before the statements by hand, on `PORT`. A body of `{rows}` is
 * answered with that page, one of `{note}` with the note's id.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import neo4j from "neo4j-driver";
import { byHand } from "./by-hand.ts";
import { readServerSettings } from "./server-settings.ts";

const { uri, username, password, pk } = readServerSettings();
const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), { disableLosslessIntegers: true });
const { page, note } = byHand(driver, pk);

interface Question {
  readonly rows?: number;
  readonly note?: string;
}

const answer = async (body: string): Promise<object> => {
  const question = JSON.parse(body) as Question; // of the measurement alone
  return question.note === undefined
    ? { data: await page(question.rows ?? 1) }
    : { note: await note(question.note) };
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
server.listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void driver.close();
});
