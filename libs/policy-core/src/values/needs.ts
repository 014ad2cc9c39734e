import type { Form } from "./form.ts";
import { formKey, referenceKey, type Reference } from "./reference.ts";

/** What a parameter's value must be, besides present. */
export type Demand = "any" | "array" | "count" | "external_id" | "pattern";

/**
 * Every `$…` that a policy, filter or query reads, taken from the checked tree and never by scanning text
 * (policies specification 3.2).
 */
export class Needs {
  readonly references = new Map<string, Reference>();
  /** References that a statement reads in a form of their value, besides the value itself. */
  readonly forms = new Map<string, { readonly reference: Reference; readonly form: Form }>();
  readonly demands = new Map<string, Set<Demand>>();

  add(reference: Reference, demand: Demand = "any", form?: Form): void {
    this.references.set(`${reference.kind}:${referenceKey(reference)}`, reference);
    if (form !== undefined) {
      this.forms.set(`${reference.kind}:${formKey(reference, form)}`, { reference, form });
    }
    if (reference.kind !== "parameter") return;
    const known = this.demands.get(reference.name);
    // A demand concerns the parameter itself; a member of an object parameter only needs the object.
    const wanted = reference.path.length === 0 ? demand : "any";
    if (known === undefined) this.demands.set(reference.name, new Set([wanted]));
    else known.add(wanted);
  }

  addAll(other: Needs): void {
    for (const [key, reference] of other.references) this.references.set(key, reference);
    for (const [key, form] of other.forms) this.forms.set(key, form);
    for (const [name, demands] of other.demands) {
      const known = this.demands.get(name) ?? new Set<Demand>();
      for (const demand of demands) known.add(demand);
      this.demands.set(name, known);
    }
  }

  /** Names of the input parameters that a call must bring, without `$`. */
  get parameters(): readonly string[] {
    return [...this.demands.keys()];
  }

  get readsToken(): boolean {
    return [...this.references.values()].some((reference) => reference.kind === "token");
  }
}

export const needsOf = (...parts: readonly Needs[]): Needs => {
  const all = new Needs();
  for (const part of parts) all.addAll(part);
  return all;
};
