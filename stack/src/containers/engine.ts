/** What the suite in containers needs on this machine: an engine, its compose command and images; found, else prepared. */
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { Interrupted } from "../command.ts";
import { runTool, toolFolder } from "./tools.ts";

/** Images that others make, under the names that docker-compose.yml and Dockerfile use. */
const images = ["node:24-bookworm-slim", "neo4j:5.26-community", "redis:7"] as const;

const succeeds = async (args: readonly string[], signal: AbortSignal): Promise<boolean> =>
  (await runProgram("docker", args, { signal })).code === 0;

const allSucceed = async (
  commands: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<boolean> => {
  for (const args of commands) if (!(await succeeds(args, signal))) return false;
  return true;
};

const missingImages = async (signal: AbortSignal): Promise<string[]> => {
  const missing = [];
  for (const image of images) if (!(await succeeds(["image", "inspect", image], signal))) missing.push(image);
  return missing;
};

/** True when the image is here, or can be pulled. */
export const canHave = async (image: string, signal: AbortSignal): Promise<boolean> =>
  (await succeeds(["image", "inspect", image], signal)) ||
  step(
    `docker pull ${image}`,
    () => succeeds(["pull", image], signal),
    (pulled) => `docker pull ${image}${pulled ? "" : ": not available"}`,
  );

const prepareImages = async (tools: string | undefined, signal: AbortSignal): Promise<void> => {
  const missing = await missingImages(signal);
  if (missing.length === 0) return;
  if (tools !== undefined) await runTool(tools, ["local-images"], `images ${missing.join(", ")}`, signal);
  for (const image of await missingImages(signal))
    if (!(await canHave(image, signal)))
      throw new UserError(`The image ${image} is not here and cannot be pulled.`);
};

/**
 * @throws UserError with one line that names what is missing and cannot be installed
 */
export const prepareEngine = async (signal: AbortSignal): Promise<void> => {
  const tools = toolFolder();
  const demand = async (
    commands: readonly (readonly string[])[],
    name: string,
    what: string,
    advice: string,
  ): Promise<void> => {
    if (await allSucceed(commands, signal)) return;
    if (signal.aborted) throw new Interrupted();
    if (tools !== undefined) await runTool(tools, [name], what, signal);
    if (!(await allSucceed(commands, signal))) throw new UserError(advice);
  };
  await demand(
    [["version"]],
    "container-engine",
    "container engine",
    "No container engine answers: `docker version` fails. Install Docker, or start it.",
  );
  await demand(
    [
      ["compose", "version"],
      ["buildx", "version"],
    ],
    "container-plugins",
    "docker compose and docker buildx",
    "The docker command has no compose or no buildx: install its plugins.",
  );
  await prepareImages(tools, signal);
};
