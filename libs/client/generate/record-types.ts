/** Types of the collections of configuration records: a record as read, a new one, and an update. */
import { type Field, type RecordDescription, recordDescriptions } from "@ikg/contracts";
import { memberName, typeText, type TypeTextOptions } from "./type-text.ts";

/** `application_agent` is `ApplicationAgent`. */
export const typeNameOf = (singular: string): string =>
  singular.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const jsonText = "string | Readonly<Record<string, unknown>>!";

/** Members that the contract judges in code. A type that ends in `!` is required. */
const members = new Map<string, string | undefined>([
  ["AuthorizationPolicy.policy", jsonText],
  ["KnowledgeQuery.query", jsonText],
  ["ExternalDataResolver.headers", "Readonly<Record<string, string | readonly string[]>>"],
  ["TokenIntrospect.claims_mapping", "Readonly<Record<string, { selector: string }>>"],
  ["AuditSigning.auth_params", "Readonly<Record<string, string>>"],
]);

/** A gid of the project or organization that the client knows by itself. */
const isKnown = (description: RecordDescription, name: string): boolean =>
  name === description.parent.field && ["project", "organization"].includes(description.parent.kind);

const fieldsText = (
  path: string,
  fields: readonly (readonly [string, Field])[],
  isRequired: (name: string, field: Field) => boolean,
): string => {
  const options: TypeTextOptions = { direction: "input", names: new Map(), members };
  const lines = fields.map(([name, field]) => {
    const place = `${path}.${name}`;
    const type = (members.get(place) ?? typeText(field.schema, place, options)).replace(/!$/, "");
    const required = isRequired(name, field);
    const rule = field.rule.replaceAll("*/", "* /");
    return `/** ${rule} */\n${memberName(name)}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`;
  });
  return `{\n${lines.join("\n")}\n}`;
};

const typesOf = (description: RecordDescription): string => {
  const { singular, record, update, parent } = description;
  const name = typeNameOf(singular);
  const fields = Object.entries(description.fields);
  const options: TypeTextOptions = { direction: "output", names: new Map(), members: new Map() };
  const created = fieldsText(
    name,
    fields,
    (field, { create }) => create === "required" && !isKnown(description, field),
  );
  const known = parent.kind === "project" || parent.kind === "organization";
  const parentHint = known ? ` \`${parent.field}\` is that of the client when it is absent.` : "";
  const updated = fieldsText(
    name,
    fields.filter(([, field]) => field.update !== "ignored" && field.update !== "fixed"),
    (_, field) => field.update === "required",
  );
  return [
    `/** ${description.path}: a record as it is read. */\nexport interface ${name}Record ${typeText(record, `${name}Record`, options)}`,
    `/** A new record.${parentHint} */\nexport interface New${name} ${created}`,
    ...(update === undefined
      ? []
      : [
          `/** What an update may state; the rules say what becomes of absent fields. */\nexport interface ${name}Update ${updated}`,
        ]),
  ].join("\n\n");
};

export const recordTypes = (): string => recordDescriptions.map(typesOf).join("\n\n");
