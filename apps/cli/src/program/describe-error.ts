import { isObject } from "../is-object.ts";
import { CommandFault } from "../surroundings.ts";

/** What usually helps, by the status of a response. */
const hints: Readonly<Record<number, string>> = {
  401: "The credential is not accepted",
  403: "The credential is valid, and has no permission for this",
};

interface ResponseError extends Error {
  readonly status: number;
  readonly errors: readonly string[];
  readonly requestId: string | undefined;
}

/** Errors whose message is for the person; those of imports told by name, so that other commands do not load them. */
const isForPerson = (error: Error): boolean => error instanceof CommandFault || error.name === "InputFault";

/** Errors of the client, told by name so that a command without it does not load it. */
const isResponseError = (error: Error): error is ResponseError =>
  (error.name === "IkgError" || error.name === "StepUpRequired") && "status" in error;

/** Names of projects, of a call that needed one of them; undefined for other errors. */
const projectsOf = ({ cause }: Error): readonly string[] | undefined =>
  isObject(cause) && Array.isArray(cause["projects"]) ? (cause["projects"] as string[]) : undefined; // of the client

/** Names that one line has. */
const mostNames = 10;

const projectExpected = (names: readonly string[]): string => {
  if (names.length === 0) return "there is no project: ikg create projects makes one";
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  const shown = names.toSorted().slice(0, mostNames).join(", ");
  return `which project? --project NAME or IKG_PROJECT; there are: ${shown}${more}`;
};

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

/** One line for the person who typed the command. */
export const describeError = (error: unknown, isDebugging: boolean): string => {
  if (!(error instanceof Error)) return String(error);
  if (isForPerson(error)) return error.message;
  if (isResponseError(error)) {
    const [, collection] = /^([a-z-]+): no record /.exec(error.errors[0] ?? "") ?? [];
    const hint = hints[error.status];
    const next = error.message.startsWith("permission missing: ")
      ? "; ikg update agents NAME --set 'api_permissions=[…]' permits it"
      : collection === undefined
        ? ""
        : `; ikg get ${collection} lists them`;
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
    : oneLine(`unexpected: ${error.message} (IKG_DEBUG=1 shows where)`);
};
