/** Which entries of the corpus were saved, refused and run: printed at the end, by name. */
export interface Ledger {
  saved(name: string): void;
  refused(name: string, reason: string): void;
  ran(name: string): void;
  /** One paragraph. */
  text(title: string): string;
}

const counted = (names: readonly string[]): string => {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, count]) => (count === 1 ? name : `${name} x${count}`)).join(", ");
};

const line = (what: string, names: readonly string[]): string =>
  `  ${what} ${names.length}${names.length === 0 ? "" : `: ${counted(names)}`}\n`;

export const openLedger = (): Ledger => {
  const saved: string[] = [];
  const refused: string[] = [];
  const ran: string[] = [];
  return {
    saved: (name) => void saved.push(name),
    refused: (name, reason) => void refused.push(`${name} (${reason})`),
    ran: (name) => void ran.push(name),
    text: (title) =>
      `corpus ${title}\n${line("saved", saved)}${line("refused", refused)}${line("runs", ran)}`,
  };
};
