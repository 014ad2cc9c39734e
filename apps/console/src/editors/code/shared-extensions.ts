import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { pageTheme } from "./theme.ts";

/** What turns the direction of its neighbours, besides what the library marks by itself. */
const directionMarks = /[\u202A-\u202E\u2066-\u2069\u200C]/gu;

const markOf = (code: number): HTMLElement => {
  const mark = document.createElement("span");
  mark.className = "cm-specialChar";
  mark.textContent = `\u27E8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27E9`;
  return mark;
};

/** What every text of code has: its label, the look of the page, and characters that are not seen made visible. */
export const sharedExtensions = (label: string): Extension => [
  // Lines end with this alone: a text comes back as it was.
  EditorState.lineSeparator.of("\n"),
  highlightSpecialChars({ addSpecialChars: directionMarks, render: markOf }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    "aria-label": label,
    spellcheck: "false",
    translate: "no",
    // Checkers do not know that what is edited takes the focus.
    tabindex: "0",
  }),
  pageTheme,
];
