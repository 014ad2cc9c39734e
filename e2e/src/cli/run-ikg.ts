/** The one file by which these tests run `ikg` in their own process: a proof of hundreds of projects starts it too often. */
export { type CommandRun, runIkg } from "../../../apps/cli/test/command-environment.ts";
