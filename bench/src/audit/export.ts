/** The chain that was stored, exported through the gateway and verified, by the commands that users run. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { countText, type Line, perSecondText } from "../targets.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { targets } from "./plan.ts";

const program = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));

interface Ended {
  readonly seconds: number;
  readonly out: string;
}

/** @throws Error with its output when it fails */
const ikg = async (target: Target, args: readonly string[]): Promise<Ended> => {
  const began = performance.now();
  const child = spawn(process.execPath, [program, "audit", ...args, "--json"], {
    env: { ...process.env, IKG_URL: target.gateway, IKG_SERVICE_ACCOUNT_TOKEN: target.serviceAccountToken },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => resolve(code));
  });
  const out = await text(child.stdout);
  const code = await ended;
  if (code !== 0) throw new Error(`ikg audit ${args.join(" ")} ended with ${code}: ${out.slice(0, 500)}`);
  return { seconds: (performance.now() - began) / 1_000, out };
};

/** What cannot be saved: every byte read, and hashed once. @returns seconds, and how many megabytes there are */
const hashOnly = async (
  folder: string,
): Promise<{ readonly seconds: number; readonly megabytes: number }> => {
  const began = performance.now();
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const file = createReadStream(join(folder, name), { highWaterMark: 1 << 20 });
    file.on("data", (chunk) => (bytes += chunk.length));
    await pipeline(file, createHash("sha256"));
  }
  return { seconds: (performance.now() - began) / 1_000, megabytes: bytes / 2 ** 20 };
};

/** @param records that the chain has at least */
export const measureExport = async (
  target: Target,
  project: string,
  records: number,
): Promise<readonly Line[]> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-bench-export-"));
  try {
    const exported = await ikg(target, ["export", "--project", project, "--out", folder]);
    say(`exported in ${exported.seconds.toFixed(1)} s`);
    const verified = await ikg(target, ["verify", folder]);
    say(`verified in ${verified.seconds.toFixed(1)} s`);
    // What the command prints with --json.
    const { events } = JSON.parse(verified.out) as { readonly events: number };
    if (events < records) throw new Error(`${events} records were verified, ${records} were stored`);
    const bare = await hashOnly(folder);
    const line = (what: string, seconds: number, target: number | undefined, baseline: string): Line => ({
      what: `${what} of ${countText(events)} records`,
      figure: `${seconds.toFixed(1)} s, ${perSecondText(events / seconds)}`,
      ratio: "",
      target: target === undefined ? "" : `at least ${perSecondText(target)}`,
      met: target === undefined ? undefined : events / seconds >= target,
      baseline,
    });
    return [
      line("`ikg audit export`", exported.seconds, undefined, `${bare.megabytes.toFixed(0)} MB of files`),
      line(
        "`ikg audit verify`",
        verified.seconds,
        targets.verify,
        `SHA-256 of the files: ${bare.seconds.toFixed(1)} s`,
      ),
      line("both", exported.seconds + verified.seconds, targets.both, ""),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
