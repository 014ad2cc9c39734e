import { resolve } from "node:path";
import type { ExportCounts, ExportOptions, ImportLine } from "@ikg/client";
import { openAdmin, openApplication } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import { collectNames } from "../../input/collect-names.ts";
import { writeAtomically } from "../../output/atomic-file.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { showProgress } from "../../progress.ts";
import { CommandFault } from "../../surroundings.ts";

interface Options {
  readonly out?: string;
  readonly types?: readonly string[];
}

/** Characters of lines that are written at once. */
const textCharacters = 65_536;

type Called = Invocation<[], Options>;
type Lines = AsyncGenerator<ImportLine, ExportCounts, undefined>;

interface Watch {
  readonly onLine: () => void;
  readonly onComplete: (counts: ExportCounts) => void;
}

/** The lines as texts; the last one says that these are all. */
async function* textsOf(
  lines: Lines,
  { onLine, onComplete }: Watch,
): AsyncGenerator<string, void, undefined> {
  let text = "";
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done === true) {
        yield `${text}${JSON.stringify({ complete: next.value })}\n`;
        onComplete(next.value);
        return;
      }
      onLine();
      text += `${JSON.stringify(next.value)}\n`;
      if (text.length < textCharacters) continue;
      yield text;
      text = "";
    }
  } finally {
    await lines.return({ nodes: 0, relationships: 0 });
  }
}

/** By the application agent's key, or without one as the administrator of the connection. */
const openLines = async (called: Called, exported: ExportOptions): Promise<Lines> => {
  const { clientKey, token, person } = connectionOf(called.options, called.around);
  const isAdministrator = clientKey === undefined && (token !== undefined || person !== undefined);
  return isAdministrator
    ? (await openAdmin(called)).exportGraph(exported)
    : (await openApplication(called)).capture.export(exported);
};

/** @returns how much was written; undefined when the reader of standard output had enough. */
const exportGraph = async (called: Called): Promise<ExportCounts | undefined> => {
  const { around, options } = called;
  const signal = around.interruption();
  const exported = {
    types: options.types,
    signal,
    silenceMs: options.timeout === undefined ? undefined : options.timeout * 1_000,
  };
  const lines = await openLines(called, exported);
  const progress = showProgress(around, "exported lines:", undefined);
  let counts: ExportCounts | undefined;
  const texts = textsOf(lines, {
    onLine: () => progress.add(1),
    onComplete: (all) => (counts = all),
  });
  try {
    if (options.out !== undefined) await writeAtomically(resolve(around.cwd, options.out), texts);
    else
      for await (const text of texts) {
        around.out(text);
        await around.drained();
      }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandFault(
      options.out === undefined ? "interrupted" : `interrupted: ${options.out} is not written`,
    );
  } finally {
    progress.end();
  }
  return counts;
};

/** `ikg graph export`. */
export const command: CommandModule<[], Options> = {
  description: [
    'Lines are {"node": …} and {"relationship": …}, as ikg graph import takes them; the last one, {"complete": …}, says that these are all. Gids, times and trust scores are not among them: the suite that imports them makes its own.',
    "Nothing stops meanwhile: what is written during the export may be in it or not. A file is there when all of it is written, and only its owner may read it. The key needs the permission ReadGraph; without a key the token counts, and needs the role owner or data_viewer.",
  ],
  examples: [
    { does: "All of the graph, compressed", command: "ikg graph export --out graph.ndjson.gz" },
    {
      does: "Nodes of two types and the relationships between them, to standard output",
      command: "ikg graph export --types Pilot,Model | jq -c '.node.external_id // empty'",
    },
  ],
  configure: (command) =>
    void command
      .option("--out <file>", "file to write, compressed for .gz; standard output without it")
      .option("--types <types>", "node types, with commas between them; all without it", collectNames),
  run: async (called) => {
    const { out } = called.options;
    const counts = await exportGraph(called);
    if (out === undefined || counts === undefined) return;
    await called.print.text(
      `${counts.nodes} nodes and ${counts.relationships} relationships are in ${out}.\n`,
      { ...counts, file: out },
    );
  },
};
