const digits = (number: number, count = 2): string => String(number).padStart(count, "0");

/** A time as a field for date and time holds it, in the reader's zone; empty for none. */
export const localText = (instant: string | undefined): string => {
  const at = new Date(instant ?? "");
  if (Number.isNaN(at.getTime())) return "";
  // A year that is being typed has fewer digits; the field shows it only with four.
  const date = `${digits(at.getFullYear(), 4)}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;
  return `${date}T${digits(at.getHours())}:${digits(at.getMinutes())}`;
};

/** The UTC of such a text; undefined for an empty one. */
export const instantOfLocal = (text: string): string | undefined => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};
