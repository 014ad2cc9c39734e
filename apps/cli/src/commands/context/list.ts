import { contextsOf, type NamedContext } from "../../connection/contexts.ts";
import type { CommandModule } from "../../program/command-module.ts";

const credentialsOf = ({ token, clientKey }: NamedContext["context"]): string =>
  [token === undefined ? [] : "token", clientKey === undefined ? [] : "client key"].flat().join(", ");

/** `ikg context list`: without secrets. */
export const command: CommandModule = {
  description: [
    'Credentials are named and never shown. "local" is the suite that `npm start` runs in this folder, or above it.',
  ],
  examples: [
    { does: "Deployments that are known", command: "ikg context list" },
    { does: "Their names alone", command: "ikg context list --output json | jq -r '.[].name'" },
  ],
  run: async ({ around, print }) => {
    const { all, current } = contextsOf(around);
    const rows = all.map(({ name, file, context }) => ({
      name,
      current: name === current?.name,
      url: context.url,
      project: context.project,
      credentials: credentialsOf(context),
      file,
    }));
    await print.rows(
      rows,
      [
        { header: "NAME", value: ({ name, current }) => (current ? `${name} *` : name), whole: true },
        { header: "URL", value: ({ url }) => url },
        { header: "PROJECT", value: ({ project }) => project },
        { header: "CREDENTIALS", value: ({ credentials }) => credentials },
      ],
      { none: "No context: ikg context add, or npm start." },
    );
  },
};
