/** The table of role and operation, made from the table of operations. */
import { operations, tableRoles } from "@ikg/contracts";
import { table } from "./table.ts";

const cells = (allowed: readonly string[]): string[] =>
  tableRoles.map((role) => (allowed.includes(role) ? "yes" : ""));

export const roleTable = (): string =>
  table(
    ["operation", ...tableRoles.map((role) => `\`${role}\``)],
    operations.flatMap(({ operation, access }) => {
      if (access.credential === "client_key") return [];
      const { roles, dryRun } = access;
      return [
        [`\`${operation}\``, ...cells(roles)],
        ...(dryRun === undefined ? [] : [[`\`${operation}\`, \`dry_run=true\``, ...cells(dryRun)]]),
      ];
    }),
  );
