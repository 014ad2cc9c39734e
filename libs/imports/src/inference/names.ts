/** The words of a name in any case style: first_name, firstName, First Name. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());

const irregular: ReadonlyMap<string, string> = new Map([
  ["people", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
]);

export const singularOf = (word: string): string => {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
};

const withValidStart = (name: string): string => (/^[A-Za-z_]/.test(name) ? name : `N${name}`);

/** The node type of the rows of a file: `OrderItem` for `public.order_items.csv`. */
export const typeNameOf = (file: string): string => {
  const stem = file.replace(/\.[a-z]+$/i, "").replace(/^.*\./, "");
  const words = wordsOf(stem);
  const singular = words.map((word, at) => (at === words.length - 1 ? singularOf(word) : word));
  const name = singular.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return withValidStart(name).padEnd(2, "_").slice(0, 64);
};

/** A valid property name for a column. */
export const propertyNameOf = (column: string): string =>
  withValidStart(column.replaceAll(/[^A-Za-z\d_]+/g, "_").replaceAll(/^_+|_+$/g, "") || "column").slice(
    0,
    128,
  );

/** What a key refers to: `manager` for `manager_id` and `managerId`; undefined for a column that is not a key. */
export const keyTargetOf = (column: string): string | undefined => {
  const words = wordsOf(column);
  const last = words.at(-1) ?? "";
  return words.length > 1 && ["id", "uuid", "key", "ref", "fk"].includes(last)
    ? words.slice(0, -1).join("_")
    : undefined;
};

/** The type of the relationship that a key represents. */
export const relationshipNameOf = (target: string): string =>
  `HAS_${target.toUpperCase().replaceAll(/[^A-Z\d_]+/g, "_")}`.slice(0, 128);
