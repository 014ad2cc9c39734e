import type { Action, Entity } from "@ikg/client";
import { type Command, InvalidArgumentError } from "commander";
import { readSecret } from "../connection/read-secret.ts";
import type { CommandEnvironment } from "../command-environment.ts";
import { collectTexts, collectValues, splitAssignment, type Values } from "./value.ts";

const ends = ["subject", "resource", "action", "context"] as const;

type End = (typeof ends)[number];
type Properties = Readonly<Partial<Record<End, Values>>>;

/** Inputs of a question besides subject, action and resource. */
export interface QuestionOptions {
  readonly param?: Values;
  readonly property?: Properties;
  readonly tag?: readonly string[];
  readonly token?: string;
}

const collectProperties = (text: string, before: Properties | undefined): Properties => {
  const [path, value] = splitAssignment(text);
  const [end = "", ...rest] = path.split(".");
  const name = rest.join(".");
  if (!ends.some((each) => each === end) || name === "")
    throw new InvalidArgumentError(
      `subject.name=value expected; resource, action and context are accepted as well.`,
    );
  const key = end as End; // checked above
  return { ...before, [key]: { ...before?.[key], [name]: value } };
};

export const addQuestionOptions = (command: Command): Command =>
  command
    .option(
      "-p, --param <name=value>",
      "input parameter of policies; repeatable; the value is parsed as JSON if possible, otherwise it is text",
      collectValues,
    )
    .option(
      "--property <end.name=value>",
      "property of the request: subject.name, resource.name, action.name or context.name; repeatable",
      collectProperties,
    )
    .option("--tag <tag>", "only consider policies with this tag; repeatable", collectTexts)
    .option("--token <file>", "file with the access token of a signed-in user; - for standard input");

const withProperties = <Part extends object>(part: Part, properties: Values | undefined): Part =>
  properties === undefined ? part : { ...part, properties };

/** The parts of a question with their properties. */
export const partsOf = ({ property = {} }: QuestionOptions) => ({
  subject: <Part extends { readonly type: string }>(part: Part): Part =>
    withProperties(part, property.subject),
  resource: <Part extends { readonly type: string }>(part: Part): Part =>
    withProperties(part, property.resource),
  action: (name: string): Action => withProperties({ name }, property.action),
});

/** Parameters, tags and context in the format of the client. */
export const inputsOf = ({ param, tag, property }: QuestionOptions) => ({
  params: param,
  tags: tag,
  context: property?.context,
});

/** A subject with its token, where there is one. */
export const signedIn = async (
  subject: Entity,
  { token }: QuestionOptions,
  environment: CommandEnvironment,
): Promise<Entity & { readonly token?: string }> =>
  token === undefined ? subject : { ...subject, token: await readSecret(token, environment) };
