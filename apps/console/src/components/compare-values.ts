/** Texts as people order them: `item2` before `item10`, whatever their case. */
const compareTexts = new Intl.Collator("en", { numeric: true, sensitivity: "accent" }).compare;

/** The order of two values of a column: numbers by their size, and before texts. */
export const compareValues = (one: unknown, other: unknown): number => {
  const [isNumber, isOtherNumber] = [typeof one === "number", typeof other === "number"];
  if (isNumber && isOtherNumber) return Math.sign(Number(one) - Number(other));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return compareTexts(String(one), String(other));
};
