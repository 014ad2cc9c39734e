import { isJsonObject } from "@ikg/contracts/values";
import { CommandFault } from "../command-environment.ts";

/** Explanations by the status of a response. */
const hints: Readonly<Record<number, string>> = {
  401: "The credential was rejected",
  403: "The credential is valid but not permitted to do this",
};

interface ResponseError extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  readonly requestId: string | undefined;
}

/** Errors whose message is shown as it is. Those of imports are recognized by name, so that other commands do not load them. */
const isUserError = (error: Error): boolean => error instanceof CommandFault || error.name === "InputFault";

/** Errors of the client, recognized by name so that commands without a client do not load it. */
const isResponseError = (error: Error): error is ResponseError =>
  (error.name === "IkgError" || error.name === "StepUpRequired") && "status" in error;

/** The names of the projects to choose from, of a request that needs a project; undefined for other errors. */
const projectsOf = ({ cause }: Error): readonly string[] | undefined =>
  isJsonObject(cause) && Array.isArray(cause["projects"]) ? (cause["projects"] as string[]) : undefined; // of the client

/** Maximum number of names in a message. */
const maxNames = 10;

const projectExpected = (names: readonly string[]): string => {
  if (names.length === 0) return "there is no project; create one with ikg create projects";
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  const shown = names.toSorted().slice(0, maxNames).join(", ");
  return `project required: set --project NAME or IKG_PROJECT; available: ${shown}${more}`;
};

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** A one-line error message for the user. */
export const describeError = (error: unknown, isDebugging: boolean): string => {
  if (!(error instanceof Error)) return String(error);
  if (isUserError(error)) return error.message;
  if (isResponseError(error)) {
    const [, collection] = /^([a-z-]+): no record /.exec(error.errors[0] ?? "") ?? [];
    const hint = hints[error.status];
    const next = error.message.startsWith("permission missing: ")
      ? "; grant it with ikg update agents NAME --set 'api_permissions=[…]'"
      : collection === undefined
        ? ""
        : `; list them with ikg get ${collection}`;
    const request =
      error.status >= 500 && error.requestId !== undefined ? `; request id ${error.requestId}` : "";
    return oneLine(`${hint === undefined ? "" : `${hint}: `}${error.message}${next}${request}`);
  }
  const projects = projectsOf(error);
  if (projects !== undefined) return projectExpected(projects);
  if (error.name === "IkgUnreachable") return oneLine(error.message);
  if (error.name === "AbortError") return "interrupted";
  return isDebugging
    ? (error.stack ?? error.message)
    : oneLine(`unexpected error: ${error.message} (set IKG_DEBUG=1 for the stack trace)`);
};
