import { z } from "zod";
import { strictObject } from "@ikg/sources";

const line = z.string({ error: "string expected" }).min(1, { error: "at least one character expected" });

/** A text with columns in braces. YAML reads braces without quotes as a map. */
const template = (what: string) =>
  z
    .string({
      error: ({ input }) =>
        typeof input === "object" && input !== null
          ? 'string expected; a string that begins with a brace needs quotes: "{column}"'
          : "string expected",
    })
    .min(1, { error: "at least one character expected" })
    .describe(`${what}; {NAME} stands for the value of a column`);

const column = line.describe("Name of a column; a.b is the member b of the objects in column a");

/** Types to which texts can be converted. */
export const valueKinds = ["string", "integer", "number", "boolean", "datetime", "list"] as const;

const oneOfKinds = `one of ${valueKinds.join(", ")} expected`;

const ColumnValue = strictObject({
  column,
  as: z.enum(valueKinds, { error: oneOfKinds }).optional(),
  of: z
    .enum(["string", "integer", "number", "boolean", "datetime"], { error: oneOfKinds })
    .optional()
    .describe("Type of the list entries"),
  separator: line.optional().describe('Separator of list entries; default ","'),
});

const scalar = z.union(
  [
    z.string({ error: "string expected" }),
    z.number({ error: "number expected" }),
    z.boolean({ error: "boolean expected" }),
  ],
  {
    error: "text, number or boolean expected",
  },
);

const constant = z.union([scalar, z.array(scalar, { error: "list expected" })], {
  error: "text, number, boolean or list expected",
});

/** A value of metadata; a text is a template. */
const MetadataValue = z.union([template("Text"), z.number(), z.boolean(), z.array(scalar), ColumnValue], {
  error: "a text, number, boolean or list, or {column: NAME, as: KIND}, expected",
});

const Metadata = strictObject({
  source: MetadataValue.optional(),
  verified_time: MetadataValue.optional(),
  assurance_level: MetadataValue.optional(),
  custom_metadata: z.record(z.string(), MetadataValue, { error: "object expected" }).optional(),
});

/** Members of which a property has exactly one. */
export const valueSources = ["column", "template", "value", "external_value"] as const;

const valueFields = {
  ...ColumnValue.shape,
  column: column.optional(),
  template: template("Text of several columns").optional(),
  value: constant.optional().describe("The same value in every row"),
};

const isOneOf =
  (names: readonly string[]) =>
  (value: object): boolean =>
    names.filter((name) => name in value).length === 1;

const NodeProperty = strictObject({
  ...valueFields,
  external_value: line.optional().describe("Name of the resolver that provides the value"),
  metadata: Metadata.optional(),
}).refine(isOneOf(valueSources), { error: `exactly one of ${valueSources.join(", ")} expected` });

const RelationshipProperty = strictObject(valueFields).refine(isOneOf(["column", "template", "value"]), {
  error: "exactly one of column, template, value expected",
});

const propertiesOf = <S extends z.ZodType>(property: S) =>
  z
    .record(
      z.string(),
      z.union([column, property], { error: "the name of a column, or an object, expected" }),
      {
        error: "object of properties by name expected",
      },
    )
    .optional();

const When = z
  .union([column, z.array(column, { error: "list of columns expected" })], {
    error: "a column or a list of columns expected",
  })
  .optional()
  .describe("Columns that must have a value; other rows are skipped");

const NodeName = strictObject({
  type: template("Type of the node"),
  external_id: template("Id of the node"),
});

export const NodeMapping = strictObject({
  ...NodeName.shape,
  when: When,
  is_identity: z.boolean({ error: "true or false expected" }).optional(),
  labels: z.array(template("Label"), { error: "list expected" }).optional(),
  properties: propertiesOf(NodeProperty),
});

export const RelationshipMapping = strictObject({
  source: NodeName,
  type: template("Type of the relationship"),
  target: NodeName,
  when: When,
  properties: propertiesOf(RelationshipProperty),
});

const oneCharacter = z.string({ error: "string expected" }).length(1, { error: "one character expected" });

export const encodings = ["utf-8", "utf-16le", "utf-16be", "iso-8859-1", "windows-1252"] as const;

/** How the files of a section are read, and the nodes and relationships of their rows. */
export const FileMapping = strictObject({
  columns: z
    .array(line, { error: "list of names expected" })
    .min(1, { error: "at least one column expected" })
    .optional()
    .describe("Column names of CSV and TSV files without a header line"),
  delimiter: oneCharacter.optional().describe("Delimiter of CSV and TSV files"),
  quote: z
    .union([oneCharacter, z.literal(false)], { error: "one character, or false, expected" })
    .optional()
    .describe('Quote character of CSV and TSV files; default ", false for none'),
  encoding: z
    .enum(encodings, { error: `one of ${encodings.join(", ")} expected` })
    .optional()
    .describe("Encoding of CSV, TSV and NDJSON files; default utf-8"),
  empty: z
    .array(line, { error: "list of texts expected" })
    .optional()
    .describe(String.raw`Texts that mean "no value", such as \N or NULL`),
  nodes: z.array(NodeMapping, { error: "list expected" }).optional(),
  relationships: z.array(RelationshipMapping, { error: "list expected" }).optional(),
});

/** A mapping file: the nodes and relationships of the rows of files. */
export const ImportMapping = strictObject({
  $schema: line.optional(),
  files: z
    .record(line, FileMapping, { error: "object of files by name expected" })
    .refine((files) => Object.keys(files).length > 0, { error: "at least one file expected" })
    .describe(
      "Sections by file name without folder and .gz; * stands for any characters, and the first match is used",
    ),
});

export type ImportMapping = z.output<typeof ImportMapping>;
export type FileMapping = z.output<typeof FileMapping>;
export type NodeMapping = z.output<typeof NodeMapping>;
export type RelationshipMapping = z.output<typeof RelationshipMapping>;
export type NodeName = z.output<typeof NodeName>;
export type NodePropertyMapping = string | z.output<typeof NodeProperty>;
export type MetadataMapping = z.output<typeof Metadata>;
export type MetadataValueMapping = z.output<typeof MetadataValue>;
export type ColumnMapping = z.output<typeof ColumnValue>;
export type ValueKind = (typeof valueKinds)[number];
