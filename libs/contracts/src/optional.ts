import type { z } from "zod";

/** An optional field: `null` means the same as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value): z.output<S> | undefined => value ?? undefined);
