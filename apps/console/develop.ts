/** The console with hot reload against a running suite: `npm run console`. */
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const server = await createServer({
  configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
  configLoader: "native",
});
await server.listen();
server.printUrls();
