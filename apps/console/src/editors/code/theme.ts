import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent-strong)", fontWeight: "600" },
  { tag: [tags.typeName, tags.atom], color: "var(--info)" },
  { tag: [tags.string, tags.special(tags.propertyName)], color: "var(--good)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: tags.function(tags.variableName), color: "var(--accent)" },
  { tag: tags.special(tags.variableName), fontWeight: "600" },
  { tag: [tags.comment, tags.punctuation, tags.bracket], color: "var(--ink-soft)" },
  { tag: tags.comment, fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": {
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-small)",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    fontSize: "0.875rem",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65", maxHeight: "420px" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": {
    backgroundColor: "var(--surface-sunken)",
    borderRight: "1px solid var(--line)",
    borderRadius: "var(--radius-small) 0 0 var(--radius-small)",
    color: "var(--ink-soft)",
  },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": {
    maxWidth: "min(420px, 92vw)",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-small)",
    backgroundColor: "var(--surface)",
    boxShadow: "var(--shadow)",
    color: "var(--ink)",
    overflowWrap: "anywhere",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "15em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "0", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { boxShadow: "inset 4px 0 var(--bad)" },
  ".cm-diagnostic-warning": { boxShadow: "inset 4px 0 var(--warn)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": { content: "none", borderRadius: "50%", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "none", borderRadius: "2px", backgroundColor: "var(--warn)" },
  ".cm-lint-marker": { width: "0.7em", height: "0.7em", marginTop: "0.45em" },
});

/** The colours of the page, light and dark. */
export const pageTheme: Extension = [look, syntaxHighlighting(highlight)];
