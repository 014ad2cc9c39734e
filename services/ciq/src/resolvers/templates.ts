import type { StoredResolver } from "@ikg/catalog";
import { nodePropertyOf } from "@ikg/contracts";
import { propertyField } from "@ikg/physical";
import { type ResolverTemplate, resolverTemplate } from "./template.ts";

/** Templates of resolvers; they live as long as the catalog's view of the resolver. */
export interface Templates {
  /** Undefined for a resolver that was saved under former rules; its calls are logged as failures. */
  readonly of: (stored: StoredResolver) => ResolverTemplate | undefined;
  /** Names of the stored fields that some of the resolvers read; the same list for the same resolvers. */
  readonly fieldsOf: (resolvers: readonly StoredResolver[]) => readonly string[];
}

const compile = (stored: StoredResolver): ResolverTemplate | undefined => {
  try {
    return resolverTemplate(stored);
  } catch {
    return undefined;
  }
};

export const openTemplates = (): Templates => {
  const templates = new WeakMap<StoredResolver, { readonly template: ResolverTemplate | undefined }>();
  const of = (stored: StoredResolver): ResolverTemplate | undefined => {
    const known = templates.get(stored) ?? { template: compile(stored) };
    templates.set(stored, known);
    return known.template;
  };

  const fields = new WeakMap<readonly StoredResolver[], readonly string[]>();
  const fieldsOf = (resolvers: readonly StoredResolver[]): readonly string[] => {
    const known = fields.get(resolvers);
    if (known !== undefined) return known;
    const names = resolvers.flatMap((each) => [...(of(each)?.names ?? [])]);
    const properties = names.map(nodePropertyOf).filter((name) => name !== undefined);
    const made = [...new Set(properties)].map(propertyField);
    fields.set(resolvers, made);
    return made;
  };
  return { of, fieldsOf };
};
