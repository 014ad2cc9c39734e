import manifest from "../../package.json" with { type: "json" };
import type { CommandModule } from "../program/command-module.ts";

/** `ikg version`. */
export const command: CommandModule = {
  examples: [{ purpose: "Print the versions of this program and Node", command: "ikg version" }],
  run: async ({ print }) => {
    const value = { ikg: manifest.version, node: process.versions.node };
    await print.text(`ikg ${value.ikg} (Node ${value.node})\n`, value);
  },
};
