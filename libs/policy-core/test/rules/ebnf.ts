/** A part of a grammar. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "option"; readonly part: Part }
  | { readonly kind: "repetition"; readonly part: Part };

/** Rules by their names; a name without a rule is a kind of token. */
export type Grammar = ReadonlyMap<string, Part>;

const pieces = (text: string): readonly string[] =>
  [...text.matchAll(/\(\*[^]*?\*\)|"[^"]*"|[a-z][a-z-]*|[=|()[\]{};]/g)]
    .map(([piece]) => piece)
    .filter((piece) => !piece.startsWith("(*"));

class Reader {
  readonly #pieces: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#pieces = pieces(text);
  }

  #take(piece: string): boolean {
    if (this.#pieces[this.#at] !== piece) return false;
    this.#at += 1;
    return true;
  }

  #expect(piece: string): void {
    if (!this.#take(piece))
      throw new Error(`${piece} expected before ${this.#pieces.slice(this.#at, this.#at + 5).join(" ")}`);
  }

  #choice(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at] ?? ";";
      if (["|", ")", "]", "}", ";"].includes(piece)) return { kind: "sequence", parts };
      this.#at += 1;
      parts.push(this.#part(piece));
    }
  }

  #part(piece: string): Part {
    if (piece.startsWith('"')) return { kind: "text", text: piece.slice(1, -1) };
    if (!["(", "[", "{"].includes(piece)) return { kind: "rule", name: piece };
    const part = this.#choice();
    this.#expect(piece === "(" ? ")" : piece === "[" ? "]" : "}");
    return piece === "(" ? part : { kind: piece === "[" ? "option" : "repetition", part };
  }

  rules(): Grammar {
    const rules = new Map<string, Part>();
    while (this.#at < this.#pieces.length) {
      const name = this.#pieces[this.#at] ?? "";
      this.#at += 1;
      this.#expect("=");
      if (rules.has(name)) throw new Error(`${name} has two rules`);
      rules.set(name, this.#choice());
      this.#expect(";");
    }
    return rules;
  }
}

/** Reads a grammar in the notation of ISO 14977, with blanks for its commas. */
export const readGrammar = (text: string): Grammar => new Reader(text).rules();

/** Tells whether a token is a given text, and of which kind it is. */
export interface Tokens {
  readonly length: number;
  isText(at: number, text: string): boolean;
  isKind(at: number, kind: string): boolean;
}

/** True when the tokens are a sentence of the rule; every way of reading them is tried. */
export const recognises = (grammar: Grammar, rule: string, tokens: Tokens): boolean => {
  const known = new Map<string, ReadonlySet<number>>();
  const next = (starts: ReadonlySet<number>, part: Part): ReadonlySet<number> =>
    new Set([...starts].flatMap((start) => [...ends(part, start)]));

  const ends = (part: Part, at: number): ReadonlySet<number> => {
    switch (part.kind) {
      case "text":
        return new Set(tokens.isText(at, part.text) ? [at + 1] : []);
      case "sequence":
        return part.parts.reduce<ReadonlySet<number>>(next, new Set([at]));
      case "choice":
        return new Set(part.parts.flatMap((each) => [...ends(each, at)]));
      case "option":
        return new Set([at, ...ends(part.part, at)]);
      case "repetition": {
        const found = new Set([at]);
        for (const start of found) for (const end of ends(part.part, start)) found.add(end);
        return found;
      }
      case "rule": {
        const body = grammar.get(part.name);
        if (body === undefined) return new Set(tokens.isKind(at, part.name) ? [at + 1] : []);
        const key = `${part.name} ${at}`;
        const found = known.get(key) ?? ends(body, at);
        known.set(key, found);
        return found;
      }
    }
  };
  return ends({ kind: "rule", name: rule }, 0).has(tokens.length);
};

/** Draws a number below a bound. */
export type Draw = (below: number) => number;

/** Writes a sentence of a rule; after some steps only the shortest ways are taken. */
export const derive = (
  grammar: Grammar,
  rule: string,
  word: (kind: string) => string,
  draw: Draw,
  steps = 60,
): string => {
  const cost = costs(grammar);
  let left = steps;

  const cheapest = (parts: readonly Part[]): Part | undefined =>
    parts.toSorted((a, b) => costOf(a, cost) - costOf(b, cost))[0];

  const write = (part: Part): readonly string[] => {
    switch (part.kind) {
      case "text":
        return [part.text];
      case "sequence":
        return part.parts.flatMap(write);
      case "choice": {
        const chosen = left > 0 ? part.parts[draw(part.parts.length)] : cheapest(part.parts);
        return chosen === undefined ? [] : write(chosen);
      }
      case "option":
        return left > 0 && draw(3) === 0 ? write(part.part) : [];
      case "repetition":
        return Array.from({ length: left > 0 && draw(4) === 0 ? 1 + draw(2) : 0 }, () =>
          write(part.part),
        ).flat();
      case "rule": {
        left -= 1;
        const body = grammar.get(part.name);
        return body === undefined ? [word(part.name)] : write(body);
      }
    }
  };
  return write({ kind: "rule", name: rule }).join(" ");
};

const costOf = (part: Part, cost: ReadonlyMap<string, number>): number => {
  switch (part.kind) {
    case "text":
      return 1;
    case "rule":
      return cost.get(part.name) ?? 1;
    case "sequence":
      return part.parts.reduce((sum, each) => sum + costOf(each, cost), 0);
    case "choice":
      return Math.min(...part.parts.map((each) => costOf(each, cost)));
    case "option":
    case "repetition":
      return 0;
  }
};

/** The least number of tokens of each rule. */
const costs = (grammar: Grammar): ReadonlyMap<string, number> => {
  const cost = new Map<string, number>([...grammar.keys()].map((name) => [name, Infinity]));
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, body] of grammar) {
      const found = costOf(body, cost);
      if (found < (cost.get(name) ?? Infinity)) {
        cost.set(name, found);
        changed = true;
      }
    }
  }
  return cost;
};
