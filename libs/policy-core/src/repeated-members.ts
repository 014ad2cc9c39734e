/** Strings whole, so that nothing in them counts, and what gives a JSON text its structure. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Most places of one text: each may be as long as 32 long names. */
const maxPlaces = 20;

/** An object or array that a scan is in. */
interface Container {
  /** Names of the members so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The name of the current member, or the index of the current entry. */
  step: string | number;
  /** True where the next string is the name of a member. */
  isAtName: boolean;
}

const containerOf = (token: string): Container =>
  token === "{"
    ? { names: new Set(), step: "", isAtName: true }
    : { names: undefined, step: 0, isAtName: false };

const stepText = ({ step }: Container): string =>
  typeof step === "number" ? `[${step}]` : `.${step.slice(0, 64)}`;

/**
 * Members that an object in a JSON text has more than once. `JSON.parse` keeps the last one of them, so that a rule of the author
 * would be dropped silently. What is nested in a dropped member is in no parsed value, so that its depth is limited here.
 *
 * @param text valid JSON.
 * @returns the place of each, such as `.condition.filter`, once, 20 at most; undefined for a text with more than `maxDepth`
 *   levels.
 */
export const repeatedMembers = (text: string, maxDepth: number): readonly string[] | undefined => {
  const repeated = new Set<string>();
  const containers: Container[] = [];
  for (const [token] of text.matchAll(tokens)) {
    const current = containers.at(-1);
    if (token === "{" || token === "[") {
      if (containers.length === maxDepth) return undefined;
      containers.push(containerOf(token));
    } else if (token === "}" || token === "]") containers.pop();
    else if (current === undefined) continue;
    else if (token === ",") {
      if (typeof current.step === "number") current.step += 1;
      else current.isAtName = true;
    } else if (current.isAtName) {
      const name = JSON.parse(token) as string; // a token in quotes is a string
      current.isAtName = false;
      current.step = name;
      if (current.names?.has(name) === true && repeated.size < maxPlaces)
        repeated.add(containers.map(stepText).join(""));
      current.names?.add(name);
    }
  }
  return [...repeated];
};
