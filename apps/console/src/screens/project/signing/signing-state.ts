import type { AuditRecord, AuditSigningRecord } from "@ikg/client";
import { isObject, textOf } from "../../../text/json.ts";

/** The signing that is in force: the one that was changed last; undefined: the platform's key signs. */
export const signingInForce = (signings: readonly AuditSigningRecord[]): AuditSigningRecord | undefined =>
  signings.toSorted((one, other) => Date.parse(other.update_time) - Date.parse(one.update_time))[0];

/** Why a batch was not signed: docs/audit.md. */
const failureTexts: Readonly<Record<string, string>> = {
  access_denied: "the provider refused, or the key is disabled",
  not_found: "the provider has no such key",
  unsupported_key: "the key is of a kind that cannot sign here",
  throttled: "the provider has too many requests",
  unavailable: "the provider did not answer",
  kid_reused: "the key id has signed with another key before",
};

export interface SigningEvent {
  readonly id: string;
  readonly time: string;
  readonly text: string;
  readonly isFailure: boolean;
}

const eventTexts: Readonly<Record<string, string>> = {
  "audit.signing.failed": "Signing failed",
  "audit.signing.recovered": "Signing works again",
  "audit.signing.rotated": "A new key signs",
};

/** What happened to the signing of a chain, among its records; the newest first. */
export const signingEvents = (records: readonly AuditRecord[]): readonly SigningEvent[] =>
  records
    .flatMap(({ id, time, type, data }): readonly SigningEvent[] => {
      const text = Object.hasOwn(eventTexts, type) ? eventTexts[type] : undefined;
      if (text === undefined) return [];
      const reason = textOf(isObject(data) ? data["reason"] : undefined);
      const why = Object.hasOwn(failureTexts, reason) ? failureTexts[reason] : reason;
      return [
        {
          id: textOf(id),
          time: textOf(time),
          text: why ? `${text}: ${why}` : text,
          isFailure: type === "audit.signing.failed",
        },
      ];
    })
    .toReversed();
