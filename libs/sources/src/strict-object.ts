import { z } from "zod";

/** An object whose other keys are refused, with those that are accepted. */
export const strictObject = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code, keys }: { code?: string | undefined; keys?: unknown }) =>
      code === "unrecognized_keys" && Array.isArray(keys)
        ? `unknown key ${keys.join(", ")}; accepted: ${Object.keys(shape).join(", ")}`
        : "object expected",
  });
