/** Runs a program to its end, line by line. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * @typedef {object} Options
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(line: string) => void} [onLine] every line of standard output and standard error
 * @property {AbortSignal} [signal] ends the program
 */

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, tail: string[] }>} exit code (127: no such program) and the last 40 lines
 */
export const runProgram = (program, args, options = {}) =>
  new Promise((resolve) => {
    /** @type {string[]} */
    const tail = [];
    const take = (/** @type {string} */ line) => {
      tail.push(line);
      if (tail.length > 40) tail.shift();
      options.onLine?.(line);
    };
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      signal: options.signal,
      stdio: ["ignore", "pipe", "pipe"],
    });
    createInterface({ input: child.stdout }).on("line", take);
    createInterface({ input: child.stderr }).on("line", take);
    child.on("error", (error) => {
      tail.push(error.message);
      resolve({ code: 127, tail });
    });
    child.on("close", (code) => resolve({ code: code ?? 1, tail }));
  });
