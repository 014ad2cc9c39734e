/** The files of `src/contract`, made from the schemas that also make the OpenAPI document. */
import { format } from "oxfmt";
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
  const formatted = Object.entries(texts).map(async ([name, text]) => {
    const { code, errors } = await format(name, head + text, { printWidth: 110 });
    if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join("; ")}`);
    return [name, code] as const;
  });
  return new Map(await Promise.all(formatted));
};
