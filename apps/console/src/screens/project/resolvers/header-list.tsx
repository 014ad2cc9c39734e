import { useState } from "react";
import { PlainText } from "../../../components/plain-text.tsx";

/** Headers of a call. Their values may be keys of another service, so they are shown on request. */
export const HeaderList = ({
  headers,
}: {
  readonly headers: Readonly<Record<string, readonly string[]>>;
}) => {
  const [isShown, setShown] = useState(false);
  const entries = Object.entries(headers);
  if (entries.length === 0) return <span className="hint">none</span>;
  return (
    <>
      <ul className="plain-list">
        {entries.map(([name, values]) => (
          <li key={name}>
            <PlainText text={name} limit={100} mono />:{" "}
            {isShown ? <PlainText text={values.join(", ")} limit={500} mono /> : "••••••"}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="button small"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? "Hide values" : "Show values"}
      </button>
    </>
  );
};
