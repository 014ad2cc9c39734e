import { InputFault } from "../input-fault.ts";
import type { TableFile } from "./table.ts";

/**
 * Decodes a file in pieces, without a byte order mark.
 *
 * @throws InputFault if the file is not valid in this encoding: characters would be lost silently.
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
      throw new InputFault(`${file.name} is not valid ${encoding}; set "encoding:" in its mapping section`);
    }
  };
  for await (const bytes of file.bytes(onBytes)) yield decoded(bytes);
  const rest = decoded();
  if (rest !== "") yield rest;
};
