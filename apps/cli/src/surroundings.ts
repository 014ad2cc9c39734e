/** What a command runs in. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Paths are relative to it. */
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether somebody watches. */
  readonly isTerminal: boolean;
  /** Aborted when the command is interrupted, which from the call on does not end it by itself. */
  readonly interruption: () => AbortSignal;
}

/** 0: as it should be; 1: a check has failed; 2: the command could not be carried out as it was given. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot be carried out; its message is for the person who typed it. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
}
