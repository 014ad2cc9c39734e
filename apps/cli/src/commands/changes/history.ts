import type { ChangeRecord } from "@ikg/client";
import { transitionText } from "../../changes/transition-text.ts";
import { openAdmin } from "../../connection/clients.ts";
import { limited } from "../../input/search-options.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options {
  readonly limit: number;
}

/** Those that concern a record by its name or gid. */
const concerning = async function* (
  records: AsyncIterable<ChangeRecord>,
  record: string | undefined,
): AsyncGenerator<ChangeRecord, void, undefined> {
  for await (const each of records)
    if (record === undefined || each.changes.some(({ name, id }) => name === record || id === record))
      yield each;
};

/** `ikg history`: change records, newest first. */
export const command: CommandModule<[record: string | undefined], Options> = {
  description: ["Changes of policies and queries, newest first. ikg diff shows one, ikg revert undoes one."],
  examples: [
    { does: "The last changes", command: "ikg history" },
    { does: "Of one policy", command: "ikg history may-fly --limit 5" },
  ],
  configure: (command) =>
    void command
      .argument("[record]", "name or gid of a policy or query; default: all")
      .option("--limit <number>", "change records at most", wholeNumber(1, 1_000_000), 20),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const { changes } = await openAdmin(invocation);
    const pages = changes.list({ pageSize: Math.min(50, options.limit) });
    await print.rows(
      limited(concerning(pages, args[0]), options.limit),
      [
        { header: "TIME", value: ({ create_time }) => create_time },
        { header: "CHANGES", value: (each) => each.changes.map(transitionText).join(", ") },
        { header: "MESSAGE", value: ({ message }) => message },
        { header: "BY", value: ({ created_by }) => created_by },
        { header: "ID", value: ({ id }) => id, whole: true },
      ],
      { none: "No changes." },
    );
  },
};
