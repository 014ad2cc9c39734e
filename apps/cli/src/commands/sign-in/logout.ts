import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { storePerson } from "../../sign-in/renew.ts";

/** `ikg logout`. */
export const command: CommandModule = {
  description: [
    "Deletes the stored sign-in of the context. The session at the provider is not ended, and a copied token remains valid until it expires.",
  ],
  examples: [{ purpose: "Sign out of the current context", command: "ikg logout" }],
  run: async ({ options, environment, print }) => {
    const { name, url, person } = connectionOf(options, environment);
    if (name !== undefined && person !== undefined) storePerson(environment, name, undefined);
    await print.text(`You are signed out of ${url}.\n`, { url });
  },
};
