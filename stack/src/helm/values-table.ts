/** The table of values in the README of the chart. */
import { table } from "../documentation/table.ts";
import { chartValues } from "./values.ts";

const maxShown = 60;

const shown = (value: unknown): string => {
  if (value === null) return "by service";
  const text = JSON.stringify(value);
  return text.length > maxShown ? "see `values.yaml`" : `\`${text}\``;
};

const valuesTable = (): string =>
  table(
    ["value", "default", "what it is"],
    chartValues().map(({ path, default: byDefault, description }) => [
      `\`${path.join(".")}\``,
      shown(byDefault),
      description,
    ]),
  );

/** The page with its table as it is now. */
export const withValuesTable = (page: string): string =>
  page.replace(
    /<!-- table: values -->\n[\s\S]*?<!-- end -->/,
    () => `<!-- table: values -->\n\n${valuesTable()}\n\n<!-- end -->`,
  );
