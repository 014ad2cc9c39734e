/** What a command runs in. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Whether somebody watches. */
  readonly isTerminal: boolean;
}

/** 0: as it should be; 1: a check has failed; 2: the command could not be carried out as it was given. */
export type ExitCode = 0 | 1 | 2;

/** The command cannot be carried out; its message is for the person who typed it. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
}
