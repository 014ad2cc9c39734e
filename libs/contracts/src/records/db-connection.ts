import { z } from "zod";
import { text } from "../names.ts";
import { optional } from "../optional.ts";

const schemes = ["bolt:", "bolt+s:", "bolt+ssc:", "neo4j:", "neo4j+s:", "neo4j+ssc:"];

const url = text(1, 2048).superRefine((value, context) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !schemes.includes(parsed.protocol) || parsed.hostname === "")
    context.addIssue({
      code: "custom",
      message: `URL with one of ${schemes.map((each) => each.slice(0, -1)).join(", ")} expected`,
    });
  else if (parsed.username !== "" || parsed.password !== "")
    context.addIssue({ code: "custom", message: "must not contain a user name or password" });
});

/** Names of databases as the vendor allows them. */
const databaseName = text(3, 63).refine((value) => /^[A-Za-z][A-Za-z0-9.-]*$/.test(value), {
  error: "3-63 letters, digits, dots and hyphens, a letter first",
});

const connection = {
  url,
  username: text(1, 256),
  password: text(1, 1024),
  name: optional(databaseName),
};

const constituents = optional(z.record(z.string(), z.object(connection)));

/** The logical location of the default database. */
export const globalLocation = "global";

/** Logical location to constituent, in the order given; undefined when the text is not `a=db1&b=db2`. */
export const aliasMapping = (mapping: string): ReadonlyMap<string, string> | undefined => {
  const entries = mapping.split("&").map((pair) => pair.split("=").map((part) => part.trim()));
  if (entries.some((parts) => parts.length !== 2 || parts.some((part) => part === ""))) return undefined;
  const known = new Map(entries as [string, string][]); // pairs, as just judged
  return known.size === entries.length ? known : undefined;
};

/** Where the graph of a project lies, when it is not the shared database. */
export const dbConnection = z
  .object({
    ...connection,
    composite_db_name: optional(databaseName),
    alias_mapping: optional(text(1, 8192)),
    constituents,
  })
  .superRefine(
    ({ composite_db_name: composite, alias_mapping: mapping, constituents: named }, context) => {
      const fault = (path: PropertyKey[], message: string): void =>
        context.addIssue({ code: "custom", path, message });
      if ((composite === undefined) !== (mapping === undefined))
        fault(
          [composite === undefined ? "composite_db_name" : "alias_mapping"],
          "give composite_db_name and alias_mapping together, or neither",
        );
      const locations = typeof mapping === "string" ? aliasMapping(mapping) : new Map<string, string>();
      if (locations === undefined)
        fault(["alias_mapping"], "location=database, joined by &, each location once");
      const databases = new Set(locations?.values());
      for (const key of Object.keys(named ?? {}))
        if (locations !== undefined && !databases.has(key))
          fault(["constituents", key], "not in alias_mapping");
      if (named === undefined) return;
      for (const [location, database] of locations ?? [])
        if (
          location !== globalLocation &&
          !Object.hasOwn(named, database) &&
          database !== locations?.get(globalLocation)
        )
          fault(["constituents", database], "required: it is in alias_mapping");
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

export type DbConnection = z.output<typeof dbConnection>;

/** What a read shows: everything but passwords. */
export const withoutPasswords = ({ password: _password, constituents: named, ...rest }: DbConnection) => ({
  ...rest,
  ...(named === undefined
    ? {}
    : {
        constituents: Object.fromEntries(
          Object.entries(named).map(([key, { password: _hidden, ...shown }]) => [key, shown]),
        ),
      }),
});

const shownConnection = { url: z.string(), username: z.string(), name: z.string().optional() };

export const DbConnectionRecord = z.object({
  ...shownConnection,
  composite_db_name: z.string().optional(),
  alias_mapping: z.string().optional(),
  constituents: z.record(z.string(), z.object(shownConnection)).optional(),
});
