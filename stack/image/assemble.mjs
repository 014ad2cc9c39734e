/**
 * Puts one service with the packages that it needs in production, and nothing else, into a folder (used by Dockerfile).
 * Runs in a copy of the repository whose locked packages are in pnpm's store:
 *
 *   node stack/image/assemble.mjs SERVICE FOLDER
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const [service = "", folder = ""] = process.argv.slice(2);
const root = process.cwd();
const pnpm = (/** @type {string[]} */ ...args) =>
  execFileSync("pnpm", ["--filter-prod", `@ikg/service-${service}...`, ...args], { encoding: "utf8" });

pnpm("install", "--offline", "--prod", "--frozen-lockfile");
const packages = pnpm("list", "--prod", "--depth=-1", "--parseable").trim().split("\n");

mkdirSync(folder, { recursive: true });
const copy = (/** @type {string} */ path) =>
  cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
copy("package.json");
copy(join("node_modules", ".pnpm"));
for (const each of packages) copy(relative(root, each));

// Nothing reads types, source maps and manuals at run time, and Node runs no TypeScript of packages; licences stay.
const unread = "node_modules/.pnpm/**/*.{ts,mts,cts,tsx,map,md,markdown,flow}";
for (const file of globSync(unread, { cwd: folder }))
  rmSync(join(folder, file), { force: true, recursive: true });
