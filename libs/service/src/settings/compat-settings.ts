import { z } from "zod";

/**
 * Differences that clients of another product expect, each by its name: the header `X-IK-ClientKey`, the
 * path `/contx-iq/v1/execute` with page numbers, empty lists of collections that there are not, and a PUT that removes the
 * tags it leaves out (docs/operations.md, "Compatibility").
 */
const compatAliases = ["client-key", "execute", "empty-collections", "absent-tags"] as const;

export type CompatAlias = (typeof compatAliases)[number];

const isAlias = (name: string): name is CompatAlias => (compatAliases as readonly string[]).includes(name);

const namesIn = (text: string): readonly string[] => {
  if (text === "false") return [];
  return text === "true" ? compatAliases : text.split(",").map((name) => name.trim());
};

/** Settings of the services that know aliases. */
export const CompatSettings = z.object({
  COMPAT_ALIASES: z
    .string()
    .default("false")
    .refine((text) => namesIn(text).every(isAlias), {
      error: `true, false, or some of ${compatAliases.join(", ")} separated by commas expected`,
    })
    .transform((text): ReadonlySet<CompatAlias> => new Set(namesIn(text).filter(isAlias)))
    .meta({
      description:
        "What other products' clients expect: `true` for all of it, or some of the names in docs/operations.md, Compatibility.",
    }),
});
