import type { Segment } from "./segments.ts";

interface MarkedTextProps {
  readonly label: string;
  readonly segments: readonly Segment[];
}

const blankControls = /[\p{Cc}\p{Cf}]/gu;

/** Line ends stay; other characters that are not seen, or turn the direction, are. */
const visible = (text: string): string =>
  text.replaceAll(blankControls, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

/** A text in lines, with what failed marked in it. */
export const MarkedText = ({ label, segments }: MarkedTextProps) => (
  <pre className="code" role="region" aria-label={label} tabIndex={0}>
    <code>
      {segments.map(({ text, isMarked }, index) =>
        isMarked ? (
          <mark key={`${index} marked`}>{visible(text)}</mark>
        ) : (
          <span key={`${index} plain`}>{visible(text)}</span>
        ),
      )}
    </code>
  </pre>
);
