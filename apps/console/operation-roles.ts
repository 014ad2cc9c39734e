/** The table of operation and role (docs/roles.md), built into the console without the schemas of the contract. */
import { operations } from "@ikg/contracts";
import type { Plugin } from "vite";

const name = "virtual:operation-roles";
const resolved = `\0${name}`;

const rolesOfOperations = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    operations.flatMap(({ operation, access }) =>
      access.credential === "client_key" ? [] : [[operation, access.roles] as const],
    ),
  );

/** Serves the table as a module, so that it is never older than the contract. */
export const operationRoles = (): Plugin => ({
  name: "operation-roles",
  resolveId: (id) => (id === name ? resolved : undefined),
  load: (id) => (id === resolved ? `export default ${JSON.stringify(rolesOfOperations())};` : undefined),
});
