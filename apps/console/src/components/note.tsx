import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface NoteProps {
  readonly tone: "info" | "warn" | "good";
  readonly children: ReactNode;
}

const icons = { info: "question", warn: "warning", good: "check" } as const satisfies Readonly<
  Record<NoteProps["tone"], IconName>
>;

/** A remark: what is missing in what is shown (a partial result), or what to know about it. */
export const Note = ({ tone, children }: NoteProps) => (
  <div className={`note ${tone}`} role="status">
    <Icon name={icons[tone]} />
    <div className="note-body">{children}</div>
  </div>
);
