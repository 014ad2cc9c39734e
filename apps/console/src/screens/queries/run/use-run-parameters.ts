import { useState } from "react";
import { printJson } from "../../../text/json.ts";

/** An object with the names of the parameters, to be filled in; empty for none. */
const templateOf = (names: readonly string[]): string =>
  names.length === 0 ? "" : printJson(Object.fromEntries(names.map((name) => [name, ""])));

const readable = (params: string | undefined): string | undefined => {
  if (params === undefined) return undefined;
  try {
    return printJson(JSON.parse(params));
  } catch {
    return params;
  }
};

/**
 * The parameters of a run as JSON: as they were typed, else those of the address, else an empty value for each name.
 *
 * @param params JSON of the address.
 * @param names of the parameters that the query and its policy name.
 */
export const useRunParameters = (params: string | undefined, names: readonly string[]) => {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    setTyped(text);
    setError(undefined);
  };
  return { text: typed ?? readable(params) ?? templateOf(names), error, change, setError };
};

export type RunParameters = ReturnType<typeof useRunParameters>;
