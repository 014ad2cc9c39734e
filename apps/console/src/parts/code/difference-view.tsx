import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { DifferenceProps } from "./difference-props.ts";
import { sharedExtensions } from "./shared-extensions.ts";

const narrow = matchMedia("(max-width: 1000px)");

const useIsNarrow = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    () => narrow.matches,
  );

const look = EditorView.theme({
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--bad-soft)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--good-soft)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "none",
    textDecoration: "underline 2px var(--bad)",
  },
  "&.cm-merge-b .cm-changedText": { background: "none", textDecoration: "underline 2px var(--good)" },
  ".cm-deletedChunk": { padding: "0 12px 0 6px" },
  ".cm-deletedChunk del": { textDecoration: "none" },
  ".cm-changeGutter": { width: "4px", paddingLeft: "0" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--bad)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--good)" },
});

const extensionsOf = (label: string): Extension => [
  sharedExtensions(label),
  lineNumbers(),
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-readonly": "true" }),
  look,
];

const show = (parent: HTMLElement, props: DifferenceProps, isUnified: boolean): { destroy: () => void } => {
  const { former, formerLabel, latter, latterLabel } = props;
  if (!isUnified)
    return new MergeView({
      parent,
      a: { doc: former, extensions: extensionsOf(formerLabel) },
      b: { doc: latter, extensions: extensionsOf(latterLabel) },
    });
  return new EditorView({
    parent,
    doc: latter,
    extensions: [
      extensionsOf(`${formerLabel}, changed to ${latterLabel}`),
      unifiedMergeView({ original: former, mergeControls: false, allowInlineDiffs: false }),
    ],
  });
};

export default function DifferenceView(props: DifferenceProps) {
  const container = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const { former, formerLabel, latter, latterLabel, isUnified = false } = props;
  const isOneColumn = isUnified || isNarrow;
  useEffect(() => {
    if (container.current === null) return;
    const view = show(container.current, { former, formerLabel, latter, latterLabel }, isOneColumn);
    return () => view.destroy();
  }, [former, formerLabel, latter, latterLabel, isOneColumn]);
  return (
    <figure className="difference">
      <figcaption className={isOneColumn ? "one" : undefined}>
        <span>
          <span className="sign removed" aria-hidden="true">
            −
          </span>{" "}
          {formerLabel}
        </span>
        <span>
          <span className="sign added" aria-hidden="true">
            +
          </span>{" "}
          {latterLabel}
        </span>
      </figcaption>
      <div ref={container} />
    </figure>
  );
}
