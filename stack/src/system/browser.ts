/** A Chromium for tests: found, else installed where this user may. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UserError } from "../../launch/user-error.mjs";
import { aptInstall, findRootPrefix } from "./apt.ts";
import { hasProgram } from "./prepare.ts";

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** `IKG_CHROMIUM`, or one of the path. */
const findBrowser = (): string | undefined =>
  process.env["IKG_CHROMIUM"] || names.find((name) => hasProgram(name));

/** The file of a program that may be named as a shell would find it. */
export const fileOfProgram = (program: string): string =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => !program.includes("/") && existsSync(file)) ?? program;

export type Browser = { readonly program: string } | { readonly absent: string };

/** @returns the program, or why there is none. */
export const prepareBrowser = async (signal: AbortSignal): Promise<Browser> => {
  const found = findBrowser();
  if (found !== undefined) return { program: found };
  if ((await findRootPrefix()) === undefined)
    return { absent: "no Chromium in the path, and this user may not install one; IKG_CHROMIUM names one" };
  try {
    await aptInstall([{ what: "Chromium", packages: ["chromium-headless-shell", "chromium"] }], signal);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { absent: error.message };
  }
  const installed = findBrowser();
  return installed === undefined ? { absent: "apt-get installed no Chromium" } : { program: installed };
};
