const two = (number: number): string => String(number).padStart(2, "0");

/** A time as a field for date and time holds it, in the reader's zone; empty for none. */
export const localText = (instant: string | undefined): string => {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** The UTC of such a text; undefined for an empty one. */
export const instantOfLocal = (text: string): string | undefined => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};
