#!/usr/bin/env node
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runProgram } from "./program/run-program.ts";

const { stdin, stdout, stderr } = process;

// A reader that closes the output early, such as `head`, is not an error.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });

const drained = (): Promise<void> =>
  stdout.writableNeedDrain ? new Promise((resolve) => void stdout.once("drain", resolve)) : Promise.resolve();

const readLine = async (question: string): Promise<string> => {
  const reader = createInterface({ input: stdin, output: stderr });
  // The end of the input counts as an empty answer.
  const ended = once(reader, "close").then(() => "");
  try {
    return await Promise.race([reader.question(question), ended]);
  } finally {
    reader.close();
  }
};

/**
 * Keeps the young generation at its initial size. V8 lets it grow to about 100 MB under a steady load, although rows and lines
 * live for milliseconds; the more frequent collections take a fifth more processor time (docs/decisions/0024-imports-from-files.md).
 */
const limitMemory = (): void => setFlagsFromString("--semi-space-growth-factor=1");

process.exitCode = await runProgram(process.argv.slice(2), {
  variables: process.env,
  cwd: process.cwd(),
  out: (text) => void stdout.write(text),
  drained,
  error: (text) => void stderr.write(text),
  isTerminal: stderr.isTTY,
  outputIsTerminal: stdout.isTTY,
  inputIsTerminal: stdin.isTTY,
  columns: stdout.isTTY ? stdout.columns : undefined,
  readInput: () => text(stdin),
  input: () => stdin,
  readLine,
  limitMemory,
  interruption: () => {
    const interruption = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
    return interruption.signal;
  },
});
