import { CommandFault } from "../surroundings.ts";
import { fileBytes, type NamedFile } from "./file-bytes.ts";

/**
 * The text of a file in pieces. A byte order mark is no part of it.
 *
 * @throws CommandFault where it is not of this encoding: letters would be lost without a word.
 */
export const fileText = async function* (
  file: NamedFile,
  encoding: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CommandFault(
        `${file.name} is not ${encoding}; encoding: of its section in the mapping says another`,
      );
    }
  };
  for await (const bytes of fileBytes(file, onBytes)) yield decoded(bytes);
  const rest = decoded();
  if (rest !== "") yield rest;
};
