/** Contents of the operations that all collections of records have. */
import {
  type Field,
  operations,
  PreviewOptions,
  type RecordDescription,
  RecordVersions,
  RollbackRequest,
  Validation,
} from "@ikg/contracts";
import { z } from "zod";
import type { Content } from "./operation-content.ts";
import { input, type Json, orNull, output, reference } from "./json-schema.ts";

const described = (field: Field, required: boolean): Json => {
  const schema = input(field.schema);
  return {
    ...(required ? schema : orNull(schema)),
    description: field.rule,
    ...(field.default === undefined ? {} : { default: field.default }),
  };
};

const bodyOf = (
  { fields }: RecordDescription,
  taken: (field: Field) => boolean,
  required: (field: Field) => boolean,
): Json => {
  const entries = Object.entries(fields).filter(([, field]) => taken(field));
  const names = entries.filter(([, field]) => required(field)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, described(field, required(field))])),
    ...(names.length === 0 ? {} : { required: names }),
  };
};

const createBody = (description: RecordDescription): Json =>
  bodyOf(
    description,
    () => true,
    ({ create }) => create === "required",
  );

/** A create body, and what is to be answered of it besides. */
const validateBody = (description: RecordDescription): Json => {
  const body = createBody(description);
  const { properties } = input(PreviewOptions);
  return { ...body, properties: { ...(body["properties"] as Json), ...(properties as Json) } }; // schemas of objects
};

const updateBody = (description: RecordDescription): Json =>
  bodyOf(
    description,
    ({ update }) => update !== "ignored",
    ({ update }) => update === "required",
  );

/** What is answered when a record is saved: of what can be validated also what it is warned of. */
const savedOf = ({ singular, record }: RecordDescription): Json =>
  operations.some(({ operation }) => operation === `validate_${singular}`)
    ? output(record.extend({ warnings: z.array(z.looseObject({})) }))
    : reference(singular);

export const recordContents = (description: RecordDescription): readonly (readonly [string, Content])[] => {
  const { singular, plural, scope, hasName, listTypes, etagInQuery } = description;
  const record = reference(singular);
  const saved = savedOf(description);
  const list = { type: "object", properties: { data: { type: "array", items: record } } };
  return [
    [`create_${singular}`, { request: createBody(description), response: saved, status: 201 }],
    [
      `list_${plural}`,
      {
        response: list,
        query: [`${scope}_id`, "search", ...(listTypes === undefined ? [] : ["type"]), "full_fetch"],
      },
    ],
    [`read_${singular}`, { response: record, query: hasName ? [`${scope}_id`, "location", "version"] : [] }],
    [`update_${singular}`, { request: updateBody(description), response: saved, headers: ["If-Match"] }],
    [
      `delete_${singular}`,
      {
        response: { type: "object", properties: { id: { type: "string" } } },
        query: etagInQuery === true ? ["etag"] : [],
        headers: ["If-Match"],
      },
    ],
    [`validate_${singular}`, { request: validateBody(description), response: output(Validation) }],
  ];
};

/** Versions of one collection. Not every collection has these operations: those that it lacks are not looked up. */
export const versionContents = (description: RecordDescription): readonly (readonly [string, Content])[] => [
  [
    `list_${description.singular}_versions`,
    { response: output(RecordVersions), query: ["cursor", "pagesize"] },
  ],
  [
    `rollback_${description.singular}`,
    { request: input(RollbackRequest), response: savedOf(description), headers: ["If-Match"] },
  ],
];
