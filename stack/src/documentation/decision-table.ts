import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../repository.ts";
import { table } from "./table.ts";

const folder = inRepository("docs", "decisions");

/** Every decision record with its title. */
export const decisionTable = (): string =>
  table(
    ["record", "what it decides"],
    readdirSync(folder)
      .filter((name) => /^\d{4}-.*\.md$/.test(name))
      .toSorted()
      .map((name) => {
        const [, title] = /^# \d+\. (.+)$/m.exec(readFileSync(join(folder, name), "utf8")) ?? [];
        if (title === undefined) throw new Error(`docs/decisions/${name} has no title`);
        return [`[${name.slice(0, 4)}](${name})`, title];
      }),
  );
