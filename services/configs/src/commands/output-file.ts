import { open, rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";

/** Opens what a command writes to: a file that has its name once it is complete and on disk, or standard output. */
export const openOutput = async (file: string | undefined) => {
  if (file === undefined)
    return { out: process.stdout, end: async () => undefined, drop: async () => undefined };
  const part = `${file}.part`;
  const handle = await open(part, "wx", 0o600).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException; // of `open`
    const reason = code === "EEXIST" ? "it is there: remove it unless another backup is writing it" : message;
    throw new Error(`${part} cannot be written: ${reason}`, { cause });
  });
  // Reported by the next write, and by `finished`.
  const out = handle.createWriteStream({ flush: true }).on("error", () => undefined);
  return {
    out,
    end: async () => {
      out.end();
      await finished(out);
      await rename(part, file);
    },
    drop: () => rm(part, { force: true }),
  };
};
