import type { AuditRecord } from "@ikg/client";
import { PlainText } from "../../../components/plain-text.tsx";
import { actorOf, onBehalfOf } from "./actor.ts";
import { type Names, shortGid } from "./names.ts";

const typeTexts = {
  service_account: "service account",
  app_agent: "agent",
  user: "",
  system: "the platform",
  "": "",
} as const;

interface ActorTextProps {
  readonly record: AuditRecord;
  readonly names: Names;
}

/** Who called, and for whom. */
export const ActorText = ({ record, names }: ActorTextProps) => {
  const { type, id, name } = actorOf(record);
  const person = onBehalfOf(record);
  const shown = name ?? names.actors.get(id) ?? shortGid(id);
  return (
    <span className="actor-text">
      {typeTexts[type]} {type !== "system" && shown !== "" && <PlainText text={shown} limit={60} />}
      {person !== undefined && (
        <small>
          {" "}
          for <PlainText text={person} limit={60} />
        </small>
      )}
    </span>
  );
};
