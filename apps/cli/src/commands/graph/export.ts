import { resolve } from "node:path";
import type { ExportCounts, ExportOptions, ImportLine } from "@ikg/client";
import { openAdmin, openApplication } from "../../connection/clients.ts";
import { connectionOf } from "../../connection/connection.ts";
import { collectNames } from "../../input/collect-names.ts";
import { writeAtomically } from "../../output/atomic-file.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { showProgress } from "../../progress.ts";
import { CommandFault } from "../../command-environment.ts";

interface Options {
  readonly out?: string;
  readonly types?: readonly string[];
}

/** Characters per write. */
const textCharacters = 65_536;

type Call = Invocation<[], Options>;
type Lines = AsyncGenerator<ImportLine, ExportCounts, undefined>;

interface Watch {
  readonly onLine: () => void;
  readonly onComplete: (counts: ExportCounts) => void;
}

/** The lines as texts; the last one marks a complete export. */
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

/** Uses the key of the application agent, otherwise the administrator's token of the connection. */
const openLines = async (call: Call, exported: ExportOptions): Promise<Lines> => {
  const { clientKey, token, person } = connectionOf(call.options, call.environment);
  const isAdministrator = clientKey === undefined && (token !== undefined || person !== undefined);
  return isAdministrator
    ? (await openAdmin(call)).exportGraph(exported)
    : (await openApplication(call)).capture.export(exported);
};

/** @returns the counts; undefined if the reader closed standard output early. */
const exportGraph = async (call: Call): Promise<ExportCounts | undefined> => {
  const { environment, options } = call;
  const signal = environment.interruption();
  const exported = {
    types: options.types,
    signal,
    silenceMs: options.timeout === undefined ? undefined : options.timeout * 1_000,
  };
  const lines = await openLines(call, exported);
  const progress = showProgress(environment, "exported lines:", undefined);
  let counts: ExportCounts | undefined;
  const texts = textsOf(lines, {
    onLine: () => progress.add(1),
    onComplete: (all) => (counts = all),
  });
  try {
    if (options.out !== undefined) await writeAtomically(resolve(environment.cwd, options.out), texts);
    else
      for await (const text of texts) {
        environment.out(text);
        await environment.drained();
      }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandFault(
      options.out === undefined ? "interrupted" : `interrupted: ${options.out} was not written`,
    );
  } finally {
    progress.end();
  }
  return counts;
};

/** `ikg graph export`. */
export const command: CommandModule<[], Options> = {
  description: [
    'Lines have the form {"node": …} or {"relationship": …}, as accepted by ikg graph import; the last line, {"complete": …}, marks a complete export. Gids, times and trust scores are not exported: the importing suite creates its own.',
    "The export does not block writes: data written meanwhile may or may not be included. A file appears only when it is complete, and is readable only by its owner. The client key requires the permission ReadGraph; without a client key the token is used, which requires the role owner or data_viewer.",
  ],
  examples: [
    { purpose: "Export the whole graph, compressed", command: "ikg graph export --out graph.ndjson.gz" },
    {
      purpose: "Export nodes of two types and the relationships between them to standard output",
      command: "ikg graph export --types Pilot,Model | jq -c '.node.external_id // empty'",
    },
  ],
  configure: (command) =>
    void command
      .option("--out <file>", "output file, compressed if it ends in .gz; default: standard output")
      .option("--types <types>", "comma-separated node types; default: all", collectNames),
  run: async (call) => {
    const { out } = call.options;
    const counts = await exportGraph(call);
    if (out === undefined || counts === undefined) return;
    await call.print.text(
      `${counts.nodes} nodes and ${counts.relationships} relationships written to ${out}.\n`,
      { ...counts, file: out },
    );
  },
};
