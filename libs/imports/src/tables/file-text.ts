import { InputFault } from "../input-fault.ts";
import type { TableFile } from "./table.ts";

/**
 * The text of a file in pieces. A byte order mark is no part of it.
 *
 * @throws InputFault where it is not of this encoding: letters would be lost without a word.
 */
export const fileText = async function* (
  file: TableFile,
  encoding: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new InputFault(
        `${file.name} is not ${encoding}; encoding: of its section in the mapping says another`,
      );
    }
  };
  for await (const bytes of file.bytes(onBytes)) yield decoded(bytes);
  const rest = decoded();
  if (rest !== "") yield rest;
};
