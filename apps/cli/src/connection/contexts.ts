import { CommandFault, type Surroundings } from "../surroundings.ts";
import { contextFilePath, readContextFile, type StoredContext } from "./context-file.ts";
import { localName, type LocalSuite, localSuite } from "./local-suite.ts";

export interface NamedContext {
  readonly name: string;
  /** The file that says it. */
  readonly file: string;
  readonly context: StoredContext;
}

export interface Contexts {
  readonly all: readonly NamedContext[];
  /** The one that commands use when none is named; undefined where there is none. */
  readonly current: NamedContext | undefined;
}

/** What the file keeps of the suite that was started here, with what that suite says of itself now. */
const renewed = (stored: StoredContext, { context }: LocalSuite): StoredContext =>
  stored.url === context.url
    ? { ...stored, organization: context.organization, token: context.token ?? stored.token }
    : stored;

/** Contexts of the file, and that of a suite that was started here. */
export const contextsOf = (around: Surroundings): Contexts => {
  const path = contextFilePath(around);
  const { contexts, current } = readContextFile(around);
  const local = localSuite(around);
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

/** @throws CommandFault that names those that there are. */
export const contextNamed = ({ all }: Contexts, name: string): NamedContext => {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name).join(", ");
  throw new CommandFault(
    `there is no context ${name}: ${names === "" ? "add one by ikg context add" : names}`,
  );
};
