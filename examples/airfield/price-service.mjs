/** A service on port 9099 that quotes the price of any aircraft; the resolver of docs/resolvers.md calls it. */
import { createServer } from "node:http";

const quote = (request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ quote: { amount: 18_400, of: request.url } }));
};

createServer(quote).listen(9099, "127.0.0.1");
