/** What is measured how often, and the targets. */

export const plan = {
  /** times that the console is opened, each in a browser without anything of it */
  opens: 7,
  /** characters that are typed into the editor, and milliseconds between two of them */
  characters: 160,
  keyMs: 25,
  /** runs of typing, in the editor and in a plain field in turn */
  typings: 3,
  /** rows of the file that is tried while long tasks are watched */
  rows: 50_000,
  /** members of a club that is drawn with them and their relationships: 1,999 elements */
  members: 999,
} as const;

export const targets = {
  usableMs: 1_500,
  longTaskMs: 50,
  drawMs: 1_500,
  loadBytes: 250_000,
} as const;
