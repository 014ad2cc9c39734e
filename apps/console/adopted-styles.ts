/**
 * Puts modules of the console in the place of libraries that write style elements, which the page's content security policy
 * forbids. The modules use constructed style sheets, and may import the library that they stand for.
 */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const replacements: ReadonlyMap<string, string> = new Map([
  // Of open dialogs.
  ["react-style-singleton", file("src/styles/style-singleton.ts")],
  // Of editors.
  ["style-mod", file("src/styles/style-mod.ts")],
]);

export const adoptedStyles = (): Plugin => ({
  name: "adopted-styles",
  enforce: "pre",
  resolveId: (id, importer) => {
    const replacement = replacements.get(id);
    return replacement === importer?.split("?")[0] ? undefined : replacement;
  },
});
