import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { errorCode } from "@ikg/service";
import { z } from "zod";

/** What a machine needs to call `/configs`. */
export const CredentialFile = z.object({
  base_url: z.string(),
  organization_id: z.string(),
  service_account_id: z.string(),
  service_account_token: z.string(),
});

export type CredentialFile = z.output<typeof CredentialFile>;

/** The file's content; undefined when it is missing or is not such a file. */
export const readCredentialFile = async (path: string): Promise<CredentialFile | undefined> => {
  try {
    return CredentialFile.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Writes the file with mode 600; readers see the old content or the new one, never half of it. */
export const writeCredentialFile = async (path: string, content: CredentialFile): Promise<void> => {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
