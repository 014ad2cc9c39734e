import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import type { RecordChange, SimulationRequest } from "@ikg/client";
import { isRecordFile } from "../records/file-names.ts";
import { isObject, readValue } from "../records/read-record.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Changes that are not made, and what a file says besides. */
export interface ProposedChanges {
  readonly changes: readonly RecordChange[];
  readonly inputs?: SimulationRequest["inputs"];
  readonly scope?: SimulationRequest["scope"];
  readonly queries?: SimulationRequest["queries"];
}

const putPolicy = (name: string, record: Readonly<Record<string, unknown>>): RecordChange =>
  // The suite judges the record.
  ({ op: "put", collection: "authorization-policies", name, record }) as unknown as RecordChange;

/** A policy by itself (with `meta`), or its record (with `policy`), named after the file where it has no name. */
const policyOf = (file: string, value: unknown): RecordChange | undefined => {
  if (!isObject(value)) return undefined;
  const stem = basename(file, extname(file));
  if (value["meta"] !== undefined) return putPolicy(stem, { policy: value, status: "ACTIVE" });
  if (value["policy"] === undefined) return undefined;
  const { name = stem, ...record } = value;
  return putPolicy(String(name), { status: "ACTIVE", ...record });
};

const ofFile = async (file: string, around: Surroundings): Promise<ProposedChanges> => {
  const value = await readValue(file, around);
  if (isObject(value) && Array.isArray(value["changes"])) return value as unknown as ProposedChanges; // judged by the suite
  if (Array.isArray(value)) return { changes: value as readonly RecordChange[] }; // judged by the suite
  const policy = policyOf(file, value);
  if (policy !== undefined) return { changes: [policy] };
  throw new CommandFault(`${file} has no changes: a policy, its record, or {"changes": […]} expected`);
};

const ofFolder = async (path: string, around: Surroundings): Promise<ProposedChanges> => {
  const inside = join(path, "policies");
  const isNested = (await stat(resolve(around.cwd, inside)).catch(() => undefined))?.isDirectory() === true;
  const folder = isNested ? inside : path;
  const names = (await readdir(resolve(around.cwd, folder))).filter(isRecordFile).sort();
  const changes = await Promise.all(
    names.map(async (name) => policyOf(name, await readValue(join(folder, name), around))),
  );
  const found = changes.filter((each) => each !== undefined);
  if (found.length === 0) throw new CommandFault(`${path} has no policies: NAME.yaml or NAME.json expected`);
  return { changes: found };
};

/** Changes of a file, or the policies of a folder (or of its folder `policies`), each put as its file says. */
export const readChanges = async (path: string, around: Surroundings): Promise<ProposedChanges> => {
  if (path === "-") return ofFile(path, around);
  const about = await stat(resolve(around.cwd, path)).catch(() => undefined);
  if (about === undefined) throw new CommandFault(`${path} is not there`);
  return about.isDirectory() ? ofFolder(path, around) : ofFile(path, around);
};
