import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ChangeSetEntry, SimulationRequest } from "@ikg/client";
import { readTexts, type TextRecord, textRecordOf } from "../project-folder/read-texts.ts";
import { folders } from "../project-folder/project-files.ts";
import { RecordFiles } from "../project-folder/record-files.ts";
import { isObject } from "../is-object.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Changes that are not made, and what a file says besides. */
export interface ProposedChanges {
  readonly changes: readonly ChangeSetEntry[];
  readonly inputs?: SimulationRequest["inputs"];
  readonly scope?: SimulationRequest["scope"];
  readonly queries?: SimulationRequest["queries"];
}

const policies = "authorization-policies";

const putPolicy = ({ name, fields }: TextRecord): ChangeSetEntry =>
  // The suite judges the record.
  ({ op: "put", collection: policies, name, record: fields }) as unknown as ChangeSetEntry;

const ofFile = async (path: string, files: RecordFiles): Promise<ProposedChanges> => {
  const source = await files.open(path);
  await files.assertNoFaults();
  const value = source?.value;
  if (isObject(value) && Array.isArray(value["changes"])) return value as unknown as ProposedChanges; // judged by the suite
  if (Array.isArray(value)) return { changes: value as readonly ChangeSetEntry[] }; // judged by the suite
  if (
    source === undefined ||
    !isObject(value) ||
    (value["meta"] ?? value[folders[policies].text]) === undefined
  )
    throw new CommandFault(`${path} has no changes: a policy, its record, or {"changes": […]} expected`);
  const policy = textRecordOf(source, policies, files);
  return { changes: policy === undefined ? [] : [putPolicy(policy)] };
};

const ofFolder = async (path: string, files: RecordFiles, around: Surroundings): Promise<ProposedChanges> => {
  const inside = join(path, folders[policies].folder);
  const isNested = (await stat(resolve(around.cwd, inside)).catch(() => undefined))?.isDirectory() === true;
  const found = await readTexts(isNested ? inside : path, policies, files, around);
  await files.assertNoFaults();
  if (found.size === 0) throw new CommandFault(`${path} has no policies: NAME.yaml or NAME.json expected`);
  return { changes: [...found].map(([name, fields]) => putPolicy({ name, fields })) };
};

/** Changes of a file, or the policies of a folder (or of its folder `policies`), each put as its file says. */
export const readChanges = async (path: string, around: Surroundings): Promise<ProposedChanges> => {
  const files = new RecordFiles(around);
  if (path === "-") return ofFile(path, files);
  const about = await stat(resolve(around.cwd, path)).catch(() => undefined);
  if (about === undefined) throw new CommandFault(`${path} is not there`);
  return about.isDirectory() ? ofFolder(path, files, around) : ofFile(path, files);
};
