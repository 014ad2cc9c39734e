import type { ChangeRecord, IkgAdmin } from "@ikg/client";
import { accountName } from "../../records/account-name.ts";
import { collectionOf } from "../../changes/record-reference.ts";
import { transitionText } from "../../changes/transition-text.ts";
import { openAdmin } from "../../connection/clients.ts";
import { limitItems } from "../../input/search-options.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options {
  readonly limit: number;
}

/** Change records of a record by its name or gid. @throws CommandFault if no such record exists or ever existed */
const concerning = async function* (
  admin: IkgAdmin,
  records: AsyncIterable<ChangeRecord>,
  record: string | undefined,
): AsyncGenerator<ChangeRecord, void, undefined> {
  let isKnown = record === undefined;
  for await (const each of records) {
    if (record !== undefined && !each.changes.some(({ name, id }) => name === record || id === record))
      continue;
    isKnown = true;
    yield each;
  }
  if (record !== undefined && !isKnown) await collectionOf(admin, { kind: undefined, name: record });
};

/** Adds the names of accounts that the caller may read; each is looked up once. */
const withNames = async function* (
  admin: IkgAdmin,
  records: AsyncIterable<ChangeRecord>,
  names: Map<string, string>,
): AsyncGenerator<ChangeRecord, void, undefined> {
  for await (const each of records) {
    const { created_by: id } = each;
    if (!names.has(id)) names.set(id, await accountName(admin, id));
    yield each;
  }
};

/** The changed records; for a revert also the change that it undid. */
const changesText = ({ changes, reverts }: ChangeRecord): string =>
  `${changes.map(transitionText).join(", ")}${reverts === undefined ? "" : ` (reverts ${reverts})`}`;

/** `ikg history`: change records, newest first. */
export const command: CommandModule<[record: string | undefined], Options> = {
  description: [
    "Lists changes of policies and queries, newest first. ikg diff shows a change, ikg revert undoes it.",
  ],
  examples: [
    { purpose: "List the latest changes", command: "ikg history" },
    { purpose: "List the changes of one policy", command: "ikg history may-fly --limit 5" },
  ],
  configure: (command) =>
    void command
      .argument("[record]", "name or gid of a policy or query; default: all")
      .option("--limit <number>", "maximum number of change records", wholeNumber(1, 1_000_000), 20),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const admin = await openAdmin(invocation);
    const pages = admin.changes.list({ pageSize: Math.min(50, options.limit) });
    const found = limitItems(concerning(admin, pages, args[0]), options.limit);
    const names = new Map<string, string>();
    const isText = print.format === "table" || print.format === "csv";
    await print.rows(
      isText ? withNames(admin, found, names) : found,
      [
        { header: "TIME", value: ({ create_time }) => create_time },
        { header: "CHANGES", value: changesText },
        { header: "MESSAGE", value: ({ message }) => message },
        { header: "BY", value: ({ created_by }) => names.get(created_by) ?? created_by },
        { header: "ID", value: ({ id }) => id, whole: true },
      ],
      { none: "No changes." },
    );
  },
};
