import type { Kind } from "./kind.ts";

/** What a name is bound to. */
export interface Binding {
  readonly kind: Kind;
  /** Bound by an OPTIONAL MATCH alone: null in rows without a match. */
  readonly optional: boolean;
  /** Bound by a pattern of a MATCH, not by AS or UNWIND. */
  readonly pattern: boolean;
}

/** The names that an expression may use: those of its own part of the text and those around it. */
export class Scope {
  readonly #own = new Map<string, Binding>();
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope, own: Iterable<readonly [string, Binding]> = []) {
    this.#outer = outer;
    for (const [name, binding] of own) this.#own.set(name, binding);
  }

  get outer(): Scope | undefined {
    return this.#outer;
  }

  get(name: string): Binding | undefined {
    return this.#own.get(name) ?? this.#outer?.get(name);
  }

  bind(name: string, binding: Binding): void {
    this.#own.set(name, binding);
  }

  /** The names of this part alone, in order of binding. */
  own(): ReadonlyMap<string, Binding> {
    return this.#own;
  }

  /** A part inside this one that may add names of its own. */
  inner(): Scope {
    return new Scope(this);
  }
}
