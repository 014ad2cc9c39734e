import type { CompletionSource } from "@codemirror/autocomplete";
import { displayText } from "../../text/display-text.ts";
import { type CompletionKind, completionsAt, type CompletionWords } from "./completions.ts";

/** Signs of the library that stand for each kind. */
const signs: Readonly<Record<CompletionKind, string>> = {
  type: "class",
  relationship: "interface",
  property: "property",
  keyword: "keyword",
  function: "function",
  variable: "variable",
};

/** Names from the graph first. */
const boosts: Readonly<Partial<Record<CompletionKind, number>>> = { variable: 2, keyword: 1 };

/** Offers what `completionsAt` finds; it knows nothing while `wordsOf` answers undefined. */
export const completionSource =
  (wordsOf: () => CompletionWords | undefined): CompletionSource =>
  ({ state, pos, explicit }) => {
    const words = wordsOf();
    if (words === undefined || state.readOnly) return null;
    const found = completionsAt(state.doc.toString(), pos, words, explicit);
    if (found === undefined) return null;
    return {
      from: found.from,
      validFor: /^[\w$]*$/,
      options: found.options.map(({ text, kind, detail }) => ({
        label: text,
        displayLabel: displayText(text, 80),
        type: signs[kind],
        boost: boosts[kind] ?? 0,
        ...(detail !== undefined && { detail: displayText(detail, 60) }),
      })),
    };
  };
