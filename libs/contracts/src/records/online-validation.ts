import { z } from "zod";
import { text } from "../names.ts";
import { optional } from "../optional.ts";
import { foreignUrl } from "./foreign-url.ts";
import { isJsonObject } from "../values/is-json-object.ts";

const maxCacheSeconds = 3_600;

const secondsToKeep = z
  .number({ error: "integer expected" })
  .int({ error: "integer expected" })
  .min(0, { error: "0-3600 expected" })
  .max(maxCacheSeconds, { error: "0-3600 expected" });

/** The endpoints of an issuer that validate a token, and how long their answers are cached. */
export const onlineValidation = (options: { readonly allowHttp: boolean }) =>
  z
    .object({
      userinfo_endpoint: optional(foreignUrl(options)),
      cache_ttl: optional(secondsToKeep),
      introspection_endpoint: optional(foreignUrl(options)),
      client_id: optional(text(1, 256)),
      client_secret: optional(text(1, 1024)),
    })
    .superRefine(
      (given, context) => {
        const fault = (field: string, message: string): void =>
          context.addIssue({ code: "custom", path: [field], message });
        const credentials = ["client_id", "client_secret"] as const;
        if (isGiven(given.introspection_endpoint)) {
          // One of them judges a token; two could disagree.
          if (isGiven(given.userinfo_endpoint))
            fault("introspection_endpoint", "not together with userinfo_endpoint");
          for (const field of credentials)
            if (!isGiven(given[field])) fault(field, "required with introspection_endpoint");
        } else {
          for (const field of credentials)
            if (isGiven(given[field])) fault(field, "only with introspection_endpoint");
        }
      },
      // Beside faults of single members, so that all of a body come at once.
      { when: ({ value }) => isJsonObject(value) },
    );

export type OnlineValidation = z.output<ReturnType<typeof onlineValidation>>;

/** What is absent or null is not given; what is given may still be faulty. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
