import { displayText } from "../text/display-text.ts";

interface JsonTextProps {
  readonly label: string;
  readonly value: unknown;
}

/** Of one line, which is one value. */
const maxCharacters = 20_000;

/** A value as JSON, line by line, with what cannot be seen made visible. */
export const JsonText = ({ label, value }: JsonTextProps) => (
  <pre className="code" role="region" aria-label={label} tabIndex={0} dir="ltr">
    {(JSON.stringify(value, undefined, 2) ?? "")
      .split("\n")
      .map((line) => displayText(line, maxCharacters))
      .join("\n")}
  </pre>
);
