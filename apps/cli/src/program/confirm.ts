import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

export interface Consent {
  /** What the command is about to do. */
  readonly question: string;
  /** Beginning of the message without consent: `not applied`. */
  readonly refusal: string;
  /** `--yes`. */
  readonly yes: boolean | undefined;
}

/** Asks on a terminal; elsewhere `--yes` is needed. @throws CommandFault without consent */
export const confirm = async (
  { inputIsTerminal, isTerminal, readLine }: CommandEnvironment,
  { question, refusal, yes }: Consent,
): Promise<void> => {
  if (yes === true) return;
  if (!inputIsTerminal || !isTerminal)
    throw new CommandFault(`${refusal}: no terminal for the confirmation; add --yes`);
  const answer = await readLine(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFault(refusal);
};
