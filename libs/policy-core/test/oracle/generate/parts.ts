import type { Expr, PathStep } from "../model.ts";
import { type Kind, namesOfKind, type Scope, type Studio } from "./scope.ts";

export const variable = (name: string): Expr => ({ kind: "variable", name });
export const literal = (value: bigint | number | string | boolean | null): Expr => ({
  kind: "literal",
  value,
});
export const reference = (name: string, ...path: string[]): Expr => ({ kind: "reference", name, path });
export const call = (name: string, ...args: Expr[]): Expr => ({ kind: "call", name, args });
export const on = (of: Expr, step: PathStep): Expr => ({ kind: "node-path", of, step });

export type Maker<T> = readonly [number, () => T];

/** What expressions of every kind are made of: the names in scope, nodes and their properties. */
export class Parts {
  protected readonly studio: Studio;
  protected readonly scope: Scope;

  constructor(studio: Studio, scope: Scope) {
    this.studio = studio;
    this.scope = scope;
  }

  protected get draw() {
    return this.studio.draw;
  }

  protected named(...kinds: readonly Kind[]): readonly string[] {
    return namesOfKind(this.scope, ...kinds);
  }

  /** A maker that takes part only when there is something to make it of. */
  protected when<T>(weight: number, names: readonly string[], make: (name: string) => T): Maker<T>[] {
    return names.length === 0 ? [] : [[weight, () => make(this.draw.pick(names))]];
  }

  node(): Expr | undefined {
    const makers: Maker<Expr>[] = [
      ...this.when<Expr>(12, this.named("node"), variable),
      ...this.when<Expr>(2, this.named("edge"), (name) =>
        call(this.draw.pick(["startNode", "endNode"]), variable(name)),
      ),
      ...this.when<Expr>(2, this.named("path"), (name) => ({
        kind: "index",
        of: call("nodes", variable(name)),
        index: literal(BigInt(this.draw.int(-1, 2))),
      })),
    ];
    return makers.length === 0 ? undefined : this.draw.among(makers);
  }

  protected onNode(weight: number, step: () => PathStep): Maker<Expr>[] {
    const node = this.node();
    return node === undefined ? [] : [[weight, () => on(node, step())]];
  }

  protected edge(weight: number, names: readonly string[]): Maker<Expr>[] {
    return this.when<Expr>(weight, this.named("edge"), (edge) => ({
      kind: "edge-path",
      of: variable(edge),
      name: this.draw.pick(names),
    }));
  }

  protected property(names: readonly string[]): PathStep {
    return {
      to: "property",
      name: this.draw.pick(names),
      ...(this.draw.chance(0.1) ? { long: true } : {}),
    };
  }
}
