import { stat } from "node:fs/promises";

/** Whether there is a file or folder at this path. */
export const fileExists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;
