/**
 * A service that quotes the price of any aircraft; the resolver of docs/resolvers.md calls it.
 *
 *   node examples/airfield/price-service.mjs [PORT]  listens on 127.0.0.1, on port 9099 by default
 */
import { createServer } from "node:http";

const quote = (request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ quote: { amount: 18_400, of: request.url } }));
};

createServer(quote).listen(Number(process.argv[2] ?? 9099), "127.0.0.1");
