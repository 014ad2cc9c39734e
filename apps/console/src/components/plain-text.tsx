import { displayText } from "../text/display-text.ts";

interface PlainTextProps {
  readonly text: string;
  /** Characters at most; the whole text is in the title. */
  readonly limit?: number;
  readonly mono?: boolean;
}

/**
 * A text from a graph or a record, which may come from any writer: shown as text, isolated from the direction of what surrounds it, with what
 * cannot be seen made visible.
 */
export const PlainText = ({ text, limit = 200, mono = false }: PlainTextProps) => {
  const shown = displayText(text, limit);
  return (
    <bdi
      className={mono ? "text mono" : "text"}
      title={shown === text ? undefined : displayText(text, 2_000)}
    >
      {shown}
    </bdi>
  );
};
