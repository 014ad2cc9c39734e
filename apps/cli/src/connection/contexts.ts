import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { contextFilePath, readContextFile, type StoredContext } from "./context-file.ts";
import { localName, type LocalSuite, localSuite } from "./local-suite.ts";

export interface NamedContext {
  readonly name: string;
  /** The file that contains it. */
  readonly file: string;
  readonly context: StoredContext;
}

export interface Contexts {
  readonly all: readonly NamedContext[];
  /** The default context; undefined if there is none. */
  readonly current: NamedContext | undefined;
}

/** A stored context of the local suite, with the current values of that suite. */
const renewed = (stored: StoredContext, { context }: LocalSuite): StoredContext =>
  stored.url === context.url
    ? { ...stored, organization: context.organization, token: context.token ?? stored.token }
    : stored;

/** The contexts of the file, and the one of a local suite. */
export const contextsOf = (environment: CommandEnvironment): Contexts => {
  const path = contextFilePath(environment);
  const { contexts, current } = readContextFile(environment);
  const local = localSuite(environment);
  const all: NamedContext[] = Object.entries(contexts).map(([name, context]) => ({
    name,
    file: path,
    context: name === localName && local !== undefined ? renewed(context, local) : context,
  }));
  if (local !== undefined && contexts[localName] === undefined)
    all.push({ name: localName, file: local.file, context: local.context });
  const find = (name: string | undefined): NamedContext | undefined => all.find((each) => each.name === name);
  return { all, current: find(current) ?? find(localName) };
};

/** @throws CommandFault with the available names. */
export const contextNamed = ({ all }: Contexts, name: string): NamedContext => {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name).join(", ");
  throw new CommandFault(
    `unknown context ${name}; ${names === "" ? "add one with ikg context add" : `available: ${names}`}`,
  );
};
