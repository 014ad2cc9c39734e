#!/usr/bin/env node
import { runCommand } from "./command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
});
