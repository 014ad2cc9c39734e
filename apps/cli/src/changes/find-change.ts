import { type ChangeRecord, type ChangeRecordWithTexts, type IkgAdmin, isNotFound } from "@ikg/client";
import { CommandFault } from "../command-environment.ts";

/** Reads a change record by its gid. @throws CommandFault if it does not exist */
export const findChange = async ({ changes }: IkgAdmin, id: string): Promise<ChangeRecordWithTexts> => {
  try {
    return await changes.get(id);
  } catch (error) {
    if (isNotFound(error)) throw new CommandFault(`unknown change record ${id}; list them with ikg history`);
    throw error;
  }
};

/** The newest change that reverted this one; undefined if there is none. */
export const revertOf = async (
  { changes }: IkgAdmin,
  { id, project_id: project, create_time }: ChangeRecord,
): Promise<ChangeRecord | undefined> => {
  for await (const each of changes.list({ project })) {
    if (each.reverts === id) return each;
    if (each.create_time < create_time) return undefined;
  }
  return undefined;
};
