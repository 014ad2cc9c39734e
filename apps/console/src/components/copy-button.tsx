import { useState } from "react";
import { Icon } from "./icon.tsx";

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
}

const shownMs = 2_000;

/** Puts a text on the clipboard, and says so. */
export const CopyButton = ({ text, label }: CopyButtonProps) => {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      // Without https, or without the person's permission.
      setState("refused");
    }
    setTimeout(() => setState("idle"), shownMs);
  };
  const texts = { idle: label, copied: "Copied", refused: "The browser refused" };
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      <Icon name={state === "copied" ? "check" : "copy"} />
      <span aria-live="polite">{texts[state]}</span>
    </button>
  );
};
