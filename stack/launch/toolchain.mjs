/** Node and pnpm of the locked versions in `.tools`, and the locked packages in `node_modules`. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { say, step } from "./progress.mjs";
import { UserError } from "./user-error.mjs";
import { runProgram } from "./run-program.mjs";
import { isFresh, stampOf, writeStamp } from "./stamp.mjs";

/** @typedef {{ node: string, pnpm: string }} Versions */

/** @param {string} root */
const places = (root) => ({
  lock: join(root, ".tools", "lock"),
  tools: join(root, ".tools", "node_modules"),
  node: join(root, ".tools", "node_modules", "node", "bin", "node"),
  pnpm: join(root, ".tools", "node_modules", "pnpm", "bin", "pnpm.mjs"),
  stamp: join(root, "node_modules", ".locked"),
});

const versionOf = (/** @type {string} */ folder) => {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
};

/** @param {string} root @param {Versions} versions */
const hasTools = (root, versions) => {
  const { tools, node } = places(root);
  return (
    versionOf(join(tools, "node")) === versions.node &&
    versionOf(join(tools, "pnpm")) === versions.pnpm &&
    existsSync(node)
  );
};

/** @param {string} root */
const lockStamp = (root) => stampOf([join(root, "pnpm-lock.yaml"), join(root, "pnpm-workspace.yaml")]);

/** npm as this process was started by it, else the one beside this Node, else the one in the path. */
const npm = () => {
  const script = process.env["npm_execpath"];
  if (script?.endsWith("npm-cli.js")) return { program: process.execPath, args: [script] };
  return { program: "npm", args: [] };
};

/** The file of a fetch line in npm's log. */
const fetched = (/** @type {string} */ line) => /\/([^/ ]+\.tgz)\b/.exec(line)?.[1];

/** @param {string} what @param {{ code: number, tail: string[] }} result */
const demand = (what, { code, tail }) => {
  if (code === 0) return;
  const reason = tail.filter((line) => /ERR|error/i.test(line)).slice(0, 5);
  throw new UserError(
    [`${what} failed. Check the network and try again.`, ...reason.map((line) => `  ${line}`)].join("\n"),
  );
};

/**
 * Installs into a folder of its own and moves it into place at the end: what is in `.tools/node_modules` is whole.
 * Folders left by runs that were killed go first; the lock excludes concurrent runs.
 *
 * @param {string} root @param {Versions} versions @param {import("./progress.mjs").Report} report
 */
const installTools = async (root, versions, report) => {
  for (const name of readdirSync(join(root, ".tools")))
    if (name.startsWith("incoming-")) rmSync(join(root, ".tools", name), { recursive: true, force: true });
  const incoming = join(root, ".tools", `incoming-${process.pid}`);
  mkdirSync(incoming, { recursive: true });
  try {
    writeFileSync(join(incoming, "package.json"), '{ "private": true }\n');
    const { program, args } = npm();
    const install = async (/** @type {string[]} */ ...packages) =>
      demand(
        `npm install ${packages.join(" ")}`,
        await runProgram(
          program,
          [
            ...args,
            "install",
            "--prefix",
            incoming,
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts=false",
            "--loglevel=http",
            ...packages,
          ],
          { cwd: incoming, onLine: (line) => report(fetched(line) ?? "working") },
        ),
      );
    await install(`node@${versions.node}`, `pnpm@${versions.pnpm}`);
    const binary = join(incoming, "node_modules", "node", "bin", "node");
    if (!existsSync(binary)) {
      // npm 12 runs no install scripts by default; the script would have fetched this package.
      const built = `node-${process.platform}-${process.arch}`;
      await install(`node@${versions.node}`, `pnpm@${versions.pnpm}`, `${built}@${versions.node}`);
      mkdirSync(join(incoming, "node_modules", "node", "bin"), { recursive: true });
      copyFileSync(join(incoming, "node_modules", built, "bin", "node"), binary);
    }
    const pnpm = join(incoming, "node_modules", "pnpm", "bin", "pnpm.mjs");
    demand(`pnpm ${versions.pnpm}`, await runProgram(binary, [pnpm, "--version"], { cwd: incoming }));
    const { tools } = places(root);
    const outgoing = `${incoming}-old`;
    if (existsSync(tools)) renameSync(tools, outgoing);
    renameSync(join(incoming, "node_modules"), tools);
    rmSync(outgoing, { recursive: true, force: true });
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
};

/**
 * Native packages for this machine that pnpm has left out: it passes over an optional package that it could not have,
 * reports nothing, and records it as not for this platform. Those for musl are left out by right.
 *
 * @param {string} modules text of `node_modules/.modules.yaml`, which is JSON
 * @param {string} machine such as `linux-x64`
 * @returns {string[]}
 */
export const leftOut = (modules, machine = `${process.platform}-${process.arch}`) => {
  try {
    /** @type {{ skipped?: string[] }} */
    const { skipped = [] } = JSON.parse(modules);
    return skipped.filter((name) => name.includes(machine) && !name.includes("musl"));
  } catch {
    return [];
  }
};

/** @param {string} root @param {import("./progress.mjs").Report} report */
const runPnpm = async (root, report) => {
  const { node, pnpm } = places(root);
  const result = await runProgram(node, [pnpm, "install", "--frozen-lockfile", "--reporter=append-only"], {
    cwd: root,
    // pnpm asks the first Node in the path whether it suits a package, and leaves optional ones out if it does not.
    env: { ...process.env, CI: "true", PATH: [dirname(node), process.env["PATH"] ?? ""].join(delimiter) },
    onLine: (line) => {
      const counts = /^Progress: (.*)$/.exec(line)?.[1];
      if (counts) report(counts.replace(/, done$/, ""));
    },
  });
  if (result.tail.some((line) => line.includes("ERR_PNPM_OUTDATED_LOCKFILE")))
    throw new UserError(
      "pnpm-lock.yaml does not fit the package.json files: run pnpm install and keep its result.",
    );
  demand("pnpm install --frozen-lockfile", result);
};

/** @param {string} root @param {import("./progress.mjs").Report} report */
const installPackages = async (root, report) => {
  const value = lockStamp(root);
  const modules = join(root, "node_modules", ".modules.yaml");
  for (let turn = 1; ; turn++) {
    await runPnpm(root, report);
    const missing = leftOut(readFileSync(modules, "utf8"));
    if (missing.length === 0) break;
    if (turn === 3)
      throw new UserError(`pnpm has left out ${missing.join(", ")}. Check the network and try again.`);
    rmSync(modules);
  }
  writeStamp(places(root).stamp, value);
};

/**
 * Brings what is missing; a look at four files when nothing is.
 *
 * @param {string} root the repository
 * @param {Versions} versions
 * @returns {Promise<string>} path of the Node that runs the rest
 */
export const prepareToolchain = async (root, versions) => {
  const { lock, node, stamp } = places(root);
  const hasPackages = () => isFresh(stamp, lockStamp(root));
  if (hasTools(root, versions) && hasPackages()) return node;
  await withLock(
    lock,
    async () => {
      if (!hasTools(root, versions))
        await step(`Node ${versions.node} and pnpm ${versions.pnpm}`, (report) =>
          installTools(root, versions, report),
        );
      if (!hasPackages()) await step("locked packages", (report) => installPackages(root, report));
    },
    () => say("Another run prepares the tools; waiting for it."),
  );
  return node;
};
