import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { keepPerson } from "../../sign-in/renew.ts";

/** `ikg logout`. */
export const command: CommandModule = {
  description: [
    "Forgets the person who is signed in to the deployment. The session at the provider stays, and a copied token works until it expires.",
  ],
  examples: [{ does: "No person is signed in from here on", command: "ikg logout" }],
  run: async ({ options, around, print }) => {
    const { name, url, person } = connectionOf(options, around);
    if (name !== undefined && person !== undefined) keepPerson(around, name, undefined);
    await print.text(`No person is signed in to ${url}.\n`, { url });
  },
};
