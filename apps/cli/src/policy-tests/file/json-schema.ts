import { z } from "zod";
import { PolicyTests } from "./schema.ts";

type JsonSchema = Record<string, unknown>;

/** A short form with braces that is not in quotes: editors see it as YAML does, as a map with one odd key. */
const unquoted: JsonSchema = {
  type: "object",
  maxProperties: 1,
  minProperties: 1,
  patternProperties: { "^\\S+ .*\\{": {} },
  additionalProperties: false,
};

const isShortForm = ({ anyOf }: JsonSchema): boolean =>
  Array.isArray(anyOf) &&
  anyOf.some(
    ({ type, description }: JsonSchema) =>
      type === "string" && typeof description === "string" && description.includes("{"),
  );

/** The JSON Schema of test files, for editors. */
export const policyTestsSchema = (): JsonSchema => ({
  ...z.toJSONSchema(PolicyTests, {
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      const schema = jsonSchema as JsonSchema; // of the library's own type for the same
      if (isShortForm(schema)) schema["anyOf"] = [...(schema["anyOf"] as JsonSchema[]), unquoted];
    },
  }),
  title: "IKG policy tests",
});
