import { readdirSync, readFileSync } from "node:fs";
import { table } from "./table.ts";

const folder = new URL("decisions/", import.meta.url);

/** Every decision record with its title. */
export const decisionTable = (): string =>
  table(
    ["record", "what it decides"],
    readdirSync(folder)
      .filter((name) => /^\d{4}-.*\.md$/.test(name))
      .toSorted()
      .map((name) => {
        const [, title] = /^# \d+\. (.+)$/m.exec(readFileSync(new URL(name, folder), "utf8")) ?? [];
        if (title === undefined) throw new Error(`docs/decisions/${name} has no title`);
        return [`[${name.slice(0, 4)}](${name})`, title];
      }),
  );
