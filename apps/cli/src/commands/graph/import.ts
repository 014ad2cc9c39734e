import { resolve } from "node:path";
import { openApplication } from "../../connection/clients.ts";
import { readLines } from "../../imports/read-lines.ts";
import { awaitJob, isInterruption, type Job, type JobState, uploadLines } from "@ikg/imports";
import { TextFile } from "../../imports/text-file.ts";
import type { CommandModule, Invocation } from "../../program/command-module.ts";
import { showProgress } from "../../progress.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";

interface Options {
  readonly rejected?: string;
  readonly detach?: true;
}

type Call = Invocation<[files: readonly string[]], Options>;

/** Uploads the lines. If the upload is interrupted, the suite discards what it has received. */
const upload = async (call: Call, signal: AbortSignal): Promise<Job> => {
  const { args, environment } = call;
  const lines = await readLines(args[0], environment);
  const progress = showProgress(environment, "uploaded bytes:", undefined);
  const counted = (async function* bytes() {
    for await (const chunk of lines) {
      progress.add(chunk.byteLength);
      yield chunk;
    }
  })();
  const ikg = await openApplication(call);
  try {
    return await uploadLines(ikg, counted, signal);
  } catch (error) {
    throw isInterruption(error, signal) ? new CommandFault("interrupted: nothing was imported") : error;
  } finally {
    progress.end();
  }
};

/** Waits for the end of the import, which does not depend on this command. */
const wait = async (job: Job, environment: CommandEnvironment, signal: AbortSignal): Promise<JobState> => {
  const progress = showProgress(environment, "imported:", 100);
  let shown = 0;
  try {
    return await awaitJob(job, signal, ({ percent }) => {
      progress.add(percent - shown);
      shown = percent;
    });
  } catch (error) {
    throw isInterruption(error, signal)
      ? new CommandFault(`interrupted: import ${job.id} continues on the server`)
      : error;
  } finally {
    progress.end();
  }
};

const writeRejected = async (job: Job, name: string, { cwd }: CommandEnvironment): Promise<void> => {
  const file = new TextFile(resolve(cwd, name), name);
  for await (const line of job.rejected()) await file.write(`${JSON.stringify(line)}\n`);
  await file.close();
};

const maxShown = 10;

const showRejected = async (job: Job, { error }: CommandEnvironment): Promise<void> => {
  let count = 0;
  for await (const { line, errors } of job.rejected()) {
    error(`warning: line ${line}: ${errors.join("; ")}\n`);
    count += 1;
    if (count >= maxShown) return;
  }
};

const textOf = ({ status, nodes, relationships, rejected }: JobState): string =>
  `${status}: ${nodes.written} nodes and ${relationships.written} relationships written, ${rejected.count} ${rejected.count === 1 ? "line" : "lines"} rejected.\n`;

/** `ikg graph import`. */
export const command: CommandModule<[files: readonly string[]], Options> = {
  description: [
    'Lines have the form {"node": …} or {"relationship": …}, see docs/imports.md; .gz files are decompressed. All files form one import, with lines numbered across files; nodes are written before relationships. Importing the same lines again results in the same graph.',
    "Lines that cannot be written do not fail the import: the first rejected lines are shown, and --rejected writes all that the suite keeps to a file. Ctrl-C during the upload discards it; after the upload, the import continues on the server.",
  ],
  examples: [
    {
      purpose: "Import the lines of a file",
      command:
        "node examples/airfield/many-pilots.mjs 100 > rows.ndjson && ikg graph import rows.ndjson --rejected rejected.ndjson",
    },
  ],
  exitCodes: { 0: "every line was written", 1: "lines were rejected, or the import failed" },
  configure: (command) =>
    void command
      .argument("<files...>", "NDJSON, also compressed (.gz)")
      .option("--rejected <file>", "write rejected lines to this file (NDJSON): line number and reasons")
      .option("--detach", "exit after the upload, and print the id of the import"),
  run: async (call) => {
    const { options, environment, print } = call;
    const signal = environment.interruption();
    const job = await upload(call, signal);
    if (options.detach === true) {
      await print.text(`${job.id}\n`, { id: job.id });
      return 0;
    }
    const state = await wait(job, environment, signal);
    if (options.rejected !== undefined) await writeRejected(job, options.rejected, environment);
    else if (state.rejected.count > 0) await showRejected(job, environment);
    if (state.reason !== undefined) environment.error(`warning: ${state.reason}\n`);
    await print.text(textOf(state), state);
    return state.status === "done" && state.rejected.count === 0 ? 0 : 1;
  },
};
