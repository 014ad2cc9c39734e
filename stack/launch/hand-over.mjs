/** Hands the terminal, the signals and the exit code over to a program. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isAlive, starter } from "./identity.mjs";

/**
 * Runs the program until it ends. Signals are passed on; the channel between the two notifies the program when this
 * process is gone, however it went.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} exit code
 */
export const handOver = (program, args, env) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
      process.on(signal, () => void child.kill(signal));
    // npm killed outright sends no signal.
    const npm = process.env["npm_lifecycle_event"] ? starter() : undefined;
    if (npm) {
      const watch = setInterval(() => {
        if (isAlive(npm)) return;
        clearInterval(watch);
        child.kill("SIGTERM");
      }, 500).unref();
    }
    child.on("error", (error) => {
      console.error(`${program} cannot be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 1)));
  });
