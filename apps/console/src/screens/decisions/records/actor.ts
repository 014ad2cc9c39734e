import type { AuditRecord } from "@ikg/client";
import { isObject, textOf } from "../../../text/json.ts";

/** Who made a call. */
export interface RecordedActor {
  readonly type: "service_account" | "app_agent" | "user" | "system" | "";
  /** Gid of an account or agent, `sub` of a person. */
  readonly id: string;
  /** What the record calls a person. */
  readonly name: string | undefined;
  /** Key that was used. */
  readonly kid: string | undefined;
  /** `iss` of a person's token. */
  readonly issuer: string | undefined;
}

const types = ["service_account", "app_agent", "user", "system"] as const;

const given = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const actorOf = ({ actor }: AuditRecord): RecordedActor => {
  const fields = isObject(actor) ? actor : {};
  const type = types.find((each) => each === fields["type"]) ?? "";
  return {
    type,
    id: textOf(type === "user" ? fields["sub"] : fields["id"]),
    name: given(fields["name"]),
    kid: given(fields["credential_kid"]),
    issuer: given(fields["issuer"]),
  };
};

/** `sub` of the person whose token was used beside the key of an application. */
export const onBehalfOf = ({ on_behalf_of: person }: AuditRecord): string | undefined =>
  isObject(person) ? given(person["sub"]) : undefined;
