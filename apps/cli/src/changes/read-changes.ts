import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ChangeSetEntry, SimulationRequest } from "@ikg/client";
import { isJsonObject } from "@ikg/contracts/values";
import type { Source } from "@ikg/sources";
import { readTexts, type TextRecord, textRecordOf } from "../project-folder/read-texts.ts";
import { folders } from "../project-folder/project-files.ts";
import { RecordFiles } from "../project-folder/record-files.ts";
import type { WrittenRecord } from "../project-folder/written-record.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import type { WrittenChanges } from "../project-folder/located-errors.ts";

/** Proposed changes, with the other contents of their file. */
export interface ProposedChanges extends WrittenChanges {
  readonly inputs?: SimulationRequest["inputs"];
  readonly scope?: SimulationRequest["scope"];
  readonly queries?: SimulationRequest["queries"];
}

const policies = "authorization-policies";

const putPolicy = ({ name, fields }: TextRecord): ChangeSetEntry =>
  // validated by the suite
  ({ op: "put", collection: policies, name, record: fields }) as unknown as ChangeSetEntry;

/** The positions of the changes of one file; the suite validates the changes. */
const writtenIn = (
  source: Source,
  path: readonly PropertyKey[],
  changes: readonly unknown[],
): readonly (WrittenRecord | undefined)[] =>
  changes.map((change, at) => {
    const collection = isJsonObject(change) ? change["collection"] : undefined;
    if (collection !== policies && collection !== "knowledge-queries") return undefined;
    const whole = [...path, at];
    const record = [...whole, "record"];
    return { collection, source, whole, record, text: [...record, folders[collection].text] };
  });

const proposed = (records: readonly TextRecord[]): ProposedChanges => ({
  changes: records.map(putPolicy),
  written: records.map(({ written }) => written),
});

const ofFile = async (path: string, files: RecordFiles): Promise<ProposedChanges> => {
  const source = await files.open(path);
  await files.assertNoFaults();
  const value = source?.value;
  if (source !== undefined && isJsonObject(value) && Array.isArray(value["changes"])) {
    const file = value as unknown as Omit<ProposedChanges, "written">; // validated by the suite
    return { ...file, written: writtenIn(source, ["changes"], file.changes) };
  }
  if (source !== undefined && Array.isArray(value))
    // validated by the suite
    return { changes: value as readonly ChangeSetEntry[], written: writtenIn(source, [], value) };
  if (
    source === undefined ||
    !isJsonObject(value) ||
    (value["meta"] ?? value[folders[policies].text]) === undefined
  )
    throw new CommandFault(
      `${path} contains no changes; expected: a policy, a policy record, or {"changes": […]}`,
    );
  const policy = textRecordOf(source, policies, files);
  return proposed(policy === undefined ? [] : [policy]);
};

const ofFolder = async (
  path: string,
  files: RecordFiles,
  environment: CommandEnvironment,
): Promise<ProposedChanges> => {
  const inside = join(path, folders[policies].folder);
  const isNested =
    (await stat(resolve(environment.cwd, inside)).catch(() => undefined))?.isDirectory() === true;
  const found = await readTexts(isNested ? inside : path, policies, files, environment);
  await files.assertNoFaults();
  if (found.size === 0)
    throw new CommandFault(`${path} contains no policies; expected: files NAME.yaml or NAME.json`);
  return proposed([...found.values()]);
};

/** Reads the changes of a file, or the policies of a folder (or of its folder `policies`). */
export const readChanges = async (
  path: string,
  environment: CommandEnvironment,
): Promise<ProposedChanges> => {
  const files = new RecordFiles(environment);
  if (path === "-") return ofFile(path, files);
  const about = await stat(resolve(environment.cwd, path)).catch(() => undefined);
  if (about === undefined) throw new CommandFault(`${path} does not exist`);
  return about.isDirectory() ? ofFolder(path, files, environment) : ofFile(path, files);
};
