/** The tables of the chart's README. */
import { table } from "../../../docs/table.ts";
import { chartSettings } from "./settings.ts";
import { chartValues } from "./values.ts";

const longest = 60;

const shown = (value: unknown): string => {
  if (value === null) return "by service";
  const text = JSON.stringify(value);
  return text.length > longest ? "see `values.yaml`" : `\`${text}\``;
};

const values = (): string =>
  table(
    ["value", "default", "what it is"],
    chartValues().map(({ path, default: byDefault, description }) => [
      `\`${path.join(".")}\``,
      shown(byDefault),
      description,
    ]),
  );

const settings = (): string => {
  const all = chartSettings();
  const count = Math.max(...all.map(({ services }) => services.length));
  return table(
    ["setting", "default", "services", "what it does"],
    all.map(({ name, default: byDefault, services, description }) => [
      `\`${name}\``,
      byDefault === "" ? "" : `\`${byDefault}\``,
      services.length === count ? "all" : services.join(", "),
      description,
    ]),
  );
};

const tables: Readonly<Record<string, () => string>> = { values, settings };

/** The page with its tables as they are now. */
export const withChartTables = (page: string): string =>
  page.replaceAll(/<!-- table: (\w+) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = tables[name];
    if (make === undefined) throw new Error(`no table is called "${name}"`);
    return `<!-- table: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
