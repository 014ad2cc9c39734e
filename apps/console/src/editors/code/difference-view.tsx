import { getChunks, MergeView, unifiedMergeView } from "@codemirror/merge";
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

/** Both sides scroll together: what contains them scrolls, and they do not. */
const wholeHeight = EditorView.theme({ ".cm-scroller": { maxHeight: "none" } });

const linesAbove = 4;

/** Heights are estimates until lines are in sight, so that a place may need some attempts. */
const scrollTo = (view: EditorView, scroller: Element, place: number, attempts: number): void =>
  view.requestMeasure({
    read: () => view.lineBlockAt(place).top,
    write: (top) => {
      const wanted = Math.max(0, top - linesAbove * view.defaultLineHeight);
      if (attempts === 0 || Math.abs(scroller.scrollTop - wanted) < 1) return;
      scroller.scrollTop = wanted;
      requestAnimationFrame(() => scrollTo(view, scroller, place, attempts - 1));
    },
  });

/** What differs may be far below the beginning; the page around stays where it is. */
const showFirstChange = (view: EditorView, scroller: Element): void => {
  const [first] = getChunks(view.state)?.chunks ?? [];
  if (first !== undefined) scrollTo(view, scroller, Math.min(first.fromB, view.state.doc.length), 5);
};

const showSides = (
  parent: HTMLElement,
  { former, formerLabel, latter, latterLabel }: DifferenceProps,
): MergeView => {
  const sides = new MergeView({
    parent,
    a: { doc: former, extensions: [extensionsOf(formerLabel), wholeHeight] },
    b: { doc: latter, extensions: [extensionsOf(latterLabel), wholeHeight] },
  });
  showFirstChange(sides.b, sides.dom);
  return sides;
};

const showUnified = (
  parent: HTMLElement,
  { former, formerLabel, latter, latterLabel }: DifferenceProps,
): EditorView => {
  const view = new EditorView({
    parent,
    doc: latter,
    extensions: [
      extensionsOf(`${formerLabel}, changed to ${latterLabel}`),
      unifiedMergeView({ original: former, mergeControls: false, allowInlineDiffs: false }),
    ],
  });
  showFirstChange(view, view.scrollDOM);
  return view;
};

export default function DifferenceView(props: DifferenceProps) {
  const container = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const { former, formerLabel, latter, latterLabel, isUnified = false } = props;
  const isOneColumn = isUnified || isNarrow;
  useEffect(() => {
    if (container.current === null) return;
    const show = isOneColumn ? showUnified : showSides;
    const view = show(container.current, { former, formerLabel, latter, latterLabel });
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
