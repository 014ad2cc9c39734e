import { contextsOf, type NamedContext } from "../../connection/contexts.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { userName } from "../../sign-in/user-name.ts";

const credentialsOf = ({ person, token, clientKey }: NamedContext["context"]): string =>
  [
    person === undefined ? [] : `sign-in of ${userName(person)}`,
    token === undefined ? [] : "token",
    clientKey === undefined ? [] : "client key",
  ]
    .flat()
    .join(", ");

/** `ikg context list`: without secrets. */
export const command: CommandModule = {
  description: [
    'Shows which credentials a context has, not their values. "local" is the suite that `npm start` runs in this folder or a parent folder.',
  ],
  examples: [
    { purpose: "List contexts", command: "ikg context list" },
    { purpose: "Print only their names", command: "ikg context list --output json | jq -r '.[].name'" },
  ],
  run: async ({ environment, print }) => {
    const { all, current } = contextsOf(environment);
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
      { none: "No contexts; add one with ikg context add, or run npm start." },
    );
  },
};
