import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Asks on a terminal; elsewhere `--yes` is needed. @throws CommandFault without consent */
export const confirm = async (
  { inputIsTerminal, isTerminal, readLine }: Surroundings,
  question: string,
  yes: boolean | undefined,
): Promise<void> => {
  if (yes === true) return;
  if (!inputIsTerminal || !isTerminal) throw new CommandFault(`${question} Say so by --yes.`);
  const answer = await readLine(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFault("nothing was done");
};
