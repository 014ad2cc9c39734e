/** Strings whole, so that nothing in them counts, and what gives a JSON text its structure. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Places that one scan names: each takes as long as the text is deep. */
const maxPlaces = 20;

/** An object or array that a scan is in. */
interface Container {
  /** Names of the members so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The step to what is read now: `.member` or `[index]`. */
  step: string;
  /** Entries of an array so far. */
  index: number;
  /** True where the next string is the name of a member. */
  isAtName: boolean;
}

const containerOf = (token: string): Container =>
  token === "{"
    ? { names: new Set(), step: "", index: 0, isAtName: true }
    : { names: undefined, step: "[0]", index: 0, isAtName: false };

/**
 * Members that an object in a JSON text has more than once. `JSON.parse` keeps the last one of them, so that a rule of the author
 * would be dropped silently.
 *
 * @param text valid JSON.
 * @returns the place of each, such as `.condition.filter`, once; 20 at most.
 */
export const repeatedMembers = (text: string): readonly string[] => {
  const repeated = new Set<string>();
  const containers: Container[] = [];
  for (const [token] of text.matchAll(tokens)) {
    if (repeated.size === maxPlaces) break;
    const current = containers.at(-1);
    if (token === "{" || token === "[") containers.push(containerOf(token));
    else if (token === "}" || token === "]") containers.pop();
    else if (current === undefined) continue;
    else if (token !== ",") {
      if (current.names === undefined || !current.isAtName) continue;
      const name = JSON.parse(token) as string; // a token in quotes is a string
      current.isAtName = false;
      current.step = `.${name.slice(0, 64)}`;
      if (current.names.has(name)) repeated.add(containers.map(({ step }) => step).join(""));
      current.names.add(name);
    } else if (current.names === undefined) current.step = `[${++current.index}]`;
    else current.isAtName = true;
  }
  return [...repeated];
};
