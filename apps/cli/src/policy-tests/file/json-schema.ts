import { z } from "zod";
import { PolicyTests } from "./schema.ts";

type JsonSchema = Record<string, unknown>;

/** An unquoted short form with braces, which YAML parsers of editors read as a map with one key. */
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
      const schema = jsonSchema as JsonSchema; // the library has its own type for it
      if (isShortForm(schema)) schema["anyOf"] = [...(schema["anyOf"] as JsonSchema[]), unquoted];
    },
  }),
  title: "IKG policy tests",
});
