import type { ReadProperty } from "@ikg/client";
import { displayText } from "../../../text/display-text.ts";
import { valueText } from "../../../text/json.ts";
import { PlainText } from "../../../components/plain-text.tsx";

const shownAtOnce = 100;
const shownAtMost = 20_000;

/** A value of any length; a long one opens on request. */
export const ValueText = ({ value }: { readonly value: unknown }) => {
  const text = valueText(value);
  if (text.length <= shownAtOnce) return <PlainText text={text} mono={typeof value !== "string"} />;
  return (
    <details className="long-value">
      <summary>
        <PlainText text={text} limit={shownAtOnce} />
        <span className="hint"> {text.length.toLocaleString()} characters</span>
      </summary>
      <bdi className="text">{displayText(text, shownAtMost)}</bdi>
    </details>
  );
};

/** What a property has: a value, or the name of the resolver that knows it. */
export const PropertyValue = ({ property }: { readonly property: ReadProperty }) =>
  property.external_value === undefined ? (
    <ValueText value={property.value} />
  ) : (
    <span className="hint">
      fetched by the resolver <PlainText text={property.external_value} limit={80} mono />, not stored in the
      graph
    </span>
  );
