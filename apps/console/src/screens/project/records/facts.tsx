import type { Fact } from "./record-kind-view.ts";

/** What a record says, as pairs of a name and a value. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="record-facts">
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
