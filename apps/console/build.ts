/** Builds the console into `apps/console/dist`, from where the gateway serves it: `node apps/console/build.ts`. */
import { renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The former files stay until the new ones are whole. */
const buildConsole = async (): Promise<void> => {
  const incoming = folder(`dist.${process.pid}`);
  try {
    await build({
      configFile: folder("vite.config.ts"),
      configLoader: "native",
      logLevel: "warn",
      build: { outDir: incoming },
    });
    rmSync(folder("dist"), { recursive: true, force: true });
    renameSync(incoming, folder("dist"));
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
};

await buildConsole();
