import { type Parsed, parseFailure, parseSuccess } from "./placeholder.ts";

const step =
  /(?:\.([A-Za-z_][A-Za-z0-9_]*)|\.("(?:[^"\\]|\\.)*")|\.?\[("(?:[^"\\]|\\.)*"|-?(?:0|[1-9][0-9]*))?\])/y;

/** A quoted name of jq as the one of JSONPath; undefined for one that is no JSON string, such as `"\(.x)"`. */
const quoted = (name: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(name));
  } catch {
    return undefined;
  }
};

/**
 * The jq-like paths that selectors may be written as, as JSONPath: `.`, `.a.b`, `.a[0]`,
 * `.a[]`, `."a b"`, `.["a b"]`.
 */
export const jsonPathOf = (text: string): Parsed<string> => {
  if (text === ".") return parseSuccess("$");
  let path = "$";
  for (let end = 0; end < text.length; end = step.lastIndex) {
    step.lastIndex = end;
    const found = step.exec(text);
    // The first step begins with a dot, as everything in jq does.
    if (found === null || (end === 0 && !text.startsWith("."))) {
      return parseFailure(
        "after . only names, quoted names, [index] and [] are known; for more write JSONPath ($…)",
      );
    }
    const [, name, after, inside] = found;
    const string = after ?? (inside?.startsWith('"') === true ? inside : undefined);
    if (name !== undefined) path += `.${name}`;
    else if (string !== undefined) {
      const literal = quoted(string);
      if (literal === undefined) return parseFailure("a quoted name is a JSON string");
      path += `[${literal}]`;
    } else path += `[${inside ?? "*"}]`;
  }
  return parseSuccess(path);
};
