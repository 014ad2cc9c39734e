/** How the console is built and, with hot reload, developed: `npm run console`. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { licenses } from "./licenses.ts";
import { operationRoles } from "./operation-roles.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The gateway behind the development server. */
const gateway = process.env["IKG_GATEWAY"] ?? "http://127.0.0.1:8080";
const services = ["access", "audit", "capture", "ciq", "configs", "data-schema", "graph", ".well-known"];

export default defineConfig(({ command }) => ({
  root: file("."),
  // Relative when built: the gateway may stand below a path of a proxy.
  base: command === "build" ? "./" : "/console/",
  plugins: [react(), operationRoles(), licenses()],
  resolve: {
    // Styles of open dialogs and of editors go into constructed style sheets: the policy of the page allows no style elements.
    alias: [
      { find: "react-style-singleton", replacement: file("src/styles/style-singleton.ts") },
      { find: /^style-mod$/, replacement: file("src/styles/style-mod.ts") },
      { find: /^style-mod-original$/, replacement: file("node_modules/style-mod/src/style-mod.js") },
    ],
  },
  build: {
    target: "es2023",
    outDir: "dist",
    rolldownOptions: {
      input: ["index.html", "signed-in.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
    emptyOutDir: true,
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
    proxy: Object.fromEntries(services.map((name) => [`/${name}/`, { target: gateway }])),
  },
}));
