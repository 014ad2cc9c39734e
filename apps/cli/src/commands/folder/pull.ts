import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { openAdmin } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { filesOfExport, isCredential, variableOf } from "../../project-folder/of-export.ts";
import { SeenVersions } from "../../project-folder/seen-versions.ts";
import { versionsOf } from "../../project-folder/versions.ts";
import { writeFolder } from "../../project-folder/write-folder.ts";

/** `ikg pull`: writes the project to a folder. */
export const command: CommandModule<[folder: string]> = {
  description: [
    "Writes one file per policy (policies/NAME.yaml) and query (queries/NAME.yaml), and project.yaml for applications, agents, profiles, resolvers, issuers and MCP servers. Files of deleted records are removed, so keep the folder in git. Policy tests (*.ikg.yaml) and other files are not touched.",
    "Secrets are written as ${VARIABLE}, and ikg apply reads their values from the environment. Credentials are not written.",
  ],
  examples: [{ purpose: "Write the project of the current context", command: "ikg pull airfield" }],
  configure: (command) => void command.argument("<folder>", "target folder; created if it does not exist"),
  run: async (invocation) => {
    const { args, environment, print } = invocation;
    const root = resolve(environment.cwd, args[0]);
    const exported = await (await openAdmin(invocation)).export();
    const { url } = connectionOf(invocation.options, environment);
    await mkdir(root, { recursive: true });
    const files = filesOfExport(exported, (secret) => `\${${variableOf(secret)}}`);
    const written = await writeFolder(root, files);
    const seen = new SeenVersions({ url, projectId: exported.project_id, folder: root }, environment);
    seen.write("pull", versionsOf(exported));
    const credentials = exported.secrets.filter(isCredential).length;
    if (credentials > 0)
      environment.error(
        `warning: credentials are not written to files (${credentials}); create new ones with ikg keys create\n`,
      );
    await print.rows(
      written,
      [
        { header: "FILE", value: ({ file }) => file },
        { header: "", value: ({ done }) => done },
      ],
      { none: "Nothing to change." },
    );
  },
};
