import { z } from "zod";

/** An object without additional keys; the error of an unknown key lists the accepted ones. */
export const strictObject = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code, keys }: { code?: string | undefined; keys?: unknown }) =>
      code === "unrecognized_keys" && Array.isArray(keys)
        ? `unknown key ${keys.join(", ")}; accepted: ${Object.keys(shape).join(", ")}`
        : "object expected",
  });
