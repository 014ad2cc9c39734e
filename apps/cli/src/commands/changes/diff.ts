import type { IkgAdmin } from "@ikg/client";
import { findChange } from "../../changes/find-change.ts";
import { readableRecord } from "../../changes/readable-record.ts";
import { readReferenced, recordReference } from "../../changes/record-reference.ts";
import { type Compared, unifiedDiff } from "../../output/unified-diff.ts";
import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { CommandFault } from "../../command-environment.ts";

/** Records of one change, before and after. */
const ofChange = async (admin: IkgAdmin, id: string): Promise<readonly Compared[]> => {
  const { changes } = await findChange(admin, id);
  return Promise.all(
    changes.map(async ({ name, from_version, to_version, before, after }) => ({
      from: `${name}@${from_version}`,
      to: after === undefined ? "/dev/null" : `${name}@${to_version}`,
      before: await readableRecord(before),
      after: await readableRecord(after),
    })),
  );
};

const ofRecords = async (admin: IkgAdmin, one: string, other: string): Promise<readonly Compared[]> => {
  const [before, after] = await Promise.all(
    [one, other].map(async (text) => readableRecord(await readReferenced(admin, recordReference(text)))),
  );
  return [{ from: one, to: other, before: before ?? "", after: after ?? "" }];
};

/** `ikg diff`. */
export const command: CommandModule<[one: string, other: string | undefined]> = {
  description: [
    "Compares two policies or queries, given as NAME or NAME@VERSION; a name without a version is the current version. For the gid of a change record, shows each record before and after the change. Write queries/NAME for a query that has the same name as a policy.",
  ],
  examples: [
    {
      purpose: "Compare the first version of a policy with the current one",
      command: "ikg diff may-fly@1 may-fly",
      exits: 1,
    },
    {
      purpose: "Show the last change",
      command: `ikg diff "$(ikg history -o json | jq -r '.[0].id')"`,
      exits: 1,
    },
  ],
  exitCodes: { 0: "no difference", 1: "there is a difference" },
  configure: (command) =>
    void command
      .argument("<one>", "NAME, NAME@VERSION, or the gid of a change record")
      .argument("[other]", "NAME or NAME@VERSION"),
  run: async (invocation) => {
    const { args, print } = invocation;
    const [one, other] = args;
    const admin = await openAdmin(invocation);
    if (other === undefined && !one.startsWith("gid:"))
      throw new CommandFault(`a second record is required, for example: ikg diff ${one}@1 ${one}`);
    const compared = await (other === undefined ? ofChange(admin, one) : ofRecords(admin, one, other));
    const texts = await Promise.all(compared.map((each) => unifiedDiff(each, print.style)));
    await print.text(texts.join(""), compared);
    return texts.some((text) => text !== "") ? 1 : 0;
  },
};
