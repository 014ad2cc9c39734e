import { type EgressResponse, EgressError, jsonObject, type JsonObject } from "@ikg/egress";

/**
 * The claims of a response with status 200. Signed and encrypted responses have other media types and are not supported.
 *
 * @throws EgressError for another media type, or a body that is not a JSON object.
 */
export const claimsOf = ({ contentType, body }: EgressResponse): JsonObject => {
  if (contentType !== "application/json") throw new EgressError("content_type_mismatch");
  return jsonObject(body);
};
