import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { offsetOf } from "../../text/text-position.ts";
import type { CodeDiagnostic, CodeEditorProps } from "./code-editor-props.ts";
import { completionSource } from "./completion-source.ts";
import { cypherLanguage, jsonLanguage } from "./cypher-language.ts";
import { sharedExtensions } from "./shared-extensions.ts";

const languages = { cypher: cypherLanguage, json: jsonLanguage } as const;

/**
 * Chromium keeps the look of a text that is typed over, by an inline style: the page's policy refuses and reports that. So such input
 * is written without the browser.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data, isComposing, cancelable }, view) => {
    const { main } = view.state.selection;
    if (inputType !== "insertText" || data === null || isComposing || !cancelable) return false;
    if (main.empty || view.state.readOnly) return false;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type" });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});

const readOnly = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // It stays in the order of the keyboard: a text that scrolls can be reached.
  EditorView.contentAttributes.of(isReadOnly ? { "aria-readonly": "true" } : {}),
];

/** A remark is about the word, or the text in quotes, at its place. */
const markOf = (text: string, { severity, text: message, place }: CodeDiagnostic): Diagnostic => {
  const from = place === undefined ? 0 : offsetOf(text, place);
  const word = /^(?:"(?:[^"\\]|\\.)*"|[\w$]+|.)/u.exec(text.slice(from, from + 200))?.[0] ?? "";
  // At an end there is nothing to underline; the character before stands for it.
  return word === "" && from > 0
    ? { from: from - 1, to: from, severity, message }
    : { from, to: from + word.length, severity, message };
};

/** Creates the editor once, and hands the latest properties to it. */
const useEditor = (props: CodeEditorProps) => {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  const access = useRef(new Compartment());
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (container.current === null) return;
    const { label, language, value, isReadOnly = false } = latest.current;
    const editor = new EditorView({
      parent: container.current,
      doc: value,
      extensions: [
        sharedExtensions(label),
        languages[language],
        lineNumbers(),
        lintGutter(),
        history(),
        bracketMatching(),
        typeOver,
        closeBrackets(),
        autocompletion({
          override: [completionSource(() => latest.current.completions)],
          icons: false,
        }),
        access.current.of(readOnly(isReadOnly)),
        // Tab leaves the editor, as it leaves every field.
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const text = state.doc.toString();
          // A text that came from outside is not typed.
          if (docChanged && text !== latest.current.value) latest.current.onChange(text);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  return { container, view, access };
};

export default function CodeMirror(props: CodeEditorProps) {
  const { value, isReadOnly = false, diagnostics, goTo } = props;
  const { container, view, access } = useEditor(props);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value, view]);
  useEffect(
    () => view.current?.dispatch({ effects: access.current.reconfigure(readOnly(isReadOnly)) }),
    [isReadOnly, view, access],
  );
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || diagnostics === undefined) return;
    const text = editor.state.doc.toString();
    editor.dispatch(
      setDiagnostics(
        editor.state,
        diagnostics.map((each) => markOf(text, each)).toSorted((one, other) => one.from - other.from),
      ),
    );
  }, [diagnostics, view]);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || goTo === undefined) return;
    editor.dispatch({
      selection: { anchor: offsetOf(editor.state.doc.toString(), goTo) },
      scrollIntoView: true,
    });
    editor.focus();
  }, [goTo, view]);
  return <div ref={container} className="code-editor" />;
}
