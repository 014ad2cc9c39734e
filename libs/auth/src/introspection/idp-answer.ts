import { type EgressResponse, EgressError, jsonObject, type JsonObject } from "@ikg/egress";

/**
 * The claims of an answer with status 200. Signed and encrypted answers are other media types, and not read.
 *
 * @throws EgressError for another type, or no JSON object.
 */
export const claimsOf = ({ contentType, body }: EgressResponse): JsonObject => {
  if (contentType !== "application/json") throw new EgressError("content_type_mismatch");
  return jsonObject(body);
};
