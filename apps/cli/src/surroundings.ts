/** What a command runs in. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Paths are relative to it. */
  readonly cwd: string;
  readonly out: (text: string) => void;
  /** Resolves when standard output takes more: what writes much waits for it. */
  readonly drained: () => Promise<void>;
  readonly error: (text: string) => void;
  /** Whether standard error is a terminal: a person sees progress and can be asked. */
  readonly isTerminal: boolean;
  /** Whether standard output is a terminal: its width and colours count. */
  readonly outputIsTerminal: boolean;
  /** Whether standard input is a terminal. */
  readonly inputIsTerminal: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Standard input as it comes. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** One line of standard input. */
  readonly readLine: (question: string) => Promise<string>;
  /** Exchanges processor time for memory, for commands under a steady load. */
  readonly limitMemory: () => void;
  /** Aborted when the command is interrupted, which from the call on does not end it by itself. */
  readonly interruption: () => AbortSignal;
}

/** Surroundings without a terminal: those of a program that is only described. */
export const nowhere: Surroundings = {
  environment: {},
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

/** 0: as it should be; 1: the answer is no, or a check has failed; 2: it could not be done as it was given. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot be carried out; its message is for the person who typed it. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
}
