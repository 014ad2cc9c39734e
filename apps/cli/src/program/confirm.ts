import { CommandFault, type Surroundings } from "../surroundings.ts";

export interface Consent {
  /** What is about to be done. */
  readonly question: string;
  /** What is said without consent: `not applied`. */
  readonly refusal: string;
  /** `--yes`. */
  readonly yes: boolean | undefined;
}

/** Asks on a terminal; elsewhere `--yes` is needed. @throws CommandFault without consent */
export const confirm = async (
  { inputIsTerminal, isTerminal, readLine }: Surroundings,
  { question, refusal, yes }: Consent,
): Promise<void> => {
  if (yes === true) return;
  if (!inputIsTerminal || !isTerminal)
    throw new CommandFault(`${refusal}: there is no terminal to ask on; add --yes`);
  const answer = await readLine(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFault(refusal);
};
