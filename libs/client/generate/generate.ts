/** The files of `src/contract`, made from the schemas that also make the OpenAPI document. */
import { format } from "prettier";
import { problemCodes } from "./problem-codes.ts";
import { recordTypes } from "./record-types.ts";
import { wireTypes } from "./wire-types.ts";

const head = `/**
 * Made from libs/contracts by libs/client/generate; do not edit.
 * \`npm run generate\` writes it anew.
 */
`;

/** @returns the text of each file, by its name. */
export const generatedFiles = async (): Promise<ReadonlyMap<string, string>> => {
  const texts = { "problems.ts": problemCodes(), "wire.ts": wireTypes(), "records.ts": recordTypes() };
  const formatted = Object.entries(texts).map(
    async ([name, text]) =>
      [name, await format(head + text, { parser: "typescript", printWidth: 110 })] as const,
  );
  return new Map(await Promise.all(formatted));
};
