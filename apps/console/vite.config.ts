/** How the console is built and, with hot reload, developed: `npm run console`. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { adoptedStyles } from "./adopted-styles.ts";
import { operationRoles } from "./operation-roles.ts";

/** The gateway behind the development server. */
const gateway = process.env["IKG_GATEWAY"] ?? "http://127.0.0.1:8080";
const services = ["access", "audit", "capture", "ciq", "configs", "data-schema", "graph", ".well-known"];

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative when built: the gateway may stand below a path of a proxy.
  base: command === "build" ? "./" : "/console/",
  plugins: [adoptedStyles(), react(), operationRoles()],
  build: {
    target: "es2023",
    outDir: "dist",
    rolldownOptions: {
      input: ["index.html", "signed-in.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
    emptyOutDir: true,
    // Licenses of the bundled libraries, which require their distribution.
    license: { fileName: "licenses.txt" },
    // Nothing is inlined as an address of data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The drawing library, which is loaded with the first drawing.
    chunkSizeWarningLimit: 700,
  },
  server: {
    host: "127.0.0.1",
    port: Number(process.env["IKG_CONSOLE_PORT"] ?? 5173),
    proxy: Object.fromEntries(
      [...services.map((name) => `/${name}/`), "/readyz"].map((path) => [path, { target: gateway }]),
    ),
  },
}));
