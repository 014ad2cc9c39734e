/** Prints one line. */
export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
