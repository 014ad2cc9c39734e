import { IkgUnreachable } from "../errors/ikg-unreachable.ts";

/**
 * A list of a response, whose type the contract gives.
 *
 * @param name of the list, for the message.
 * @throws IkgUnreachable "invalid_response" where the response has none: another server may be at the address.
 */
export const requireList = <Item>(list: Item[], name: string): Item[] => {
  if (Array.isArray(list)) return list;
  throw new IkgUnreachable("invalid_response", `the response has no ${name}; check baseUrl`);
};
