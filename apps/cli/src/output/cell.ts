/** A value as the text of a cell in a table or CSV. */
export const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  return JSON.stringify(value);
};

const controls = new RegExp(String.raw`[\u0000-\u001f\u007f-\u009f]`, "g");
const short: Readonly<Record<string, string>> = {
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
};

const escaped = (character: string): string =>
  short[character] ?? String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0");

/** For a terminal: values cannot move the cursor or change colours. */
export const escapeControls = (text: string): string => text.replaceAll(controls, escaped);

/** The text of a cell for a terminal. */
export const shownCell = (value: unknown): string => escapeControls(cellOf(value));
