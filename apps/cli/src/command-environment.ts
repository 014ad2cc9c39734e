/** The environment of a command: its variables, folder, streams and terminal. */
export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Relative paths start here. */
  readonly cwd: string;
  readonly out: (text: string) => void;
  /** Resolves when standard output can accept more: commands with large output wait for it. */
  readonly drained: () => Promise<void>;
  readonly error: (text: string) => void;
  /** Whether standard error is a terminal, for progress and confirmations. */
  readonly isTerminal: boolean;
  /** Whether standard output is a terminal, for its width and colours. */
  readonly outputIsTerminal: boolean;
  /** Whether standard input is a terminal. */
  readonly inputIsTerminal: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Standard input as a stream. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** One line of standard input. */
  readonly readLine: (question: string) => Promise<string>;
  /** Reduces memory at the cost of processor time, for long-running commands. */
  readonly limitMemory: () => void;
  /** Aborted when the command is interrupted. After the call, an interruption no longer ends the process. */
  readonly interruption: () => AbortSignal;
}

/** An environment without a terminal, for generating documentation. */
export const noTerminal: CommandEnvironment = {
  variables: {},
  cwd: "/",
  out: () => undefined,
  drained: () => Promise.resolve(),
  error: () => undefined,
  isTerminal: false,
  outputIsTerminal: false,
  inputIsTerminal: false,
  columns: undefined,
  readInput: () => Promise.resolve(""),
  input: async function* none() {},
  limitMemory: () => undefined,
  readLine: () => Promise.resolve(""),
  interruption: () => new AbortController().signal,
};

/** 0: success; 1: the answer is no, or a check failed; 2: the command failed. */
export type ExitCode = 0 | 1 | 2;

/** An error of a command; the message is shown to the user. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
}
