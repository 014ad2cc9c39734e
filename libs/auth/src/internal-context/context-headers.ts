import type { KeyObject } from "node:crypto";
import type { Caller } from "@ikg/contracts";
import type { HeaderList } from "../header-list.ts";
import { type CallTarget, type ContextIssuer, internalContextHeader, type McpOrigin } from "./context.ts";
import { formerContextHeader, signFormerContext } from "./former-context.ts";
import { signInternalContext } from "./sign-context.ts";

/** The headers by which a call states its context. */
export type ContextHeaders = (
  caller: Caller | undefined,
  target: CallTarget,
  address?: string,
  alias?: string,
  origin?: McpOrigin,
) => Promise<Readonly<HeaderList>>;

/**
 * @param key the private key of the issuer.
 * @param formerKey INTERNAL_CONTEXT_KEY while services of a release before 0.2 may answer; undefined otherwise.
 */
export const openContextHeaders = (
  issuer: ContextIssuer,
  key: KeyObject,
  formerKey?: Uint8Array,
): ContextHeaders => {
  const sign = signInternalContext(key, issuer);
  if (formerKey === undefined) return async (...context) => [internalContextHeader, await sign(...context)];
  const signFormer = signFormerContext(formerKey);
  return async (...context) => [
    internalContextHeader,
    await sign(...context),
    formerContextHeader,
    await signFormer(...context),
  ];
};
