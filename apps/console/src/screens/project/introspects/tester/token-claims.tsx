import { Instant } from "../../../../components/instant.tsx";
import { type Members, valueText } from "../../../../text/json.ts";
import { PlainText } from "../../../../components/plain-text.tsx";
import { type ReadToken, timeOf } from "./read-token.ts";

const Value = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const time = timeOf(name, value);
  if (time === undefined) return <PlainText text={valueText(value)} limit={500} mono />;
  return (
    <>
      <Instant at={time} /> <span className="hint mono">{valueText(value)}</span>
    </>
  );
};

const MemberTable = ({ label, members }: { readonly label: string; readonly members: Members }) => (
  <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(members).map(([name, value]) => (
          <tr key={name}>
            <td>
              <PlainText text={name} limit={60} mono />
            </td>
            <td className="wide">
              <Value name={name} value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** What a token says of itself. Nothing of it is verified here. */
export const TokenClaims = ({ token }: { readonly token: ReadToken | undefined }) => {
  if (token === undefined)
    return <p className="hint">It is not a JWT, so only its issuer can tell whom it stands for.</p>;
  return (
    <section className="stack tight" aria-label="What it says">
      <h3>What it says of itself</h3>
      <p className="hint">Read here, and not verified.</p>
      <MemberTable label="Claim" members={token.claims} />
      <MemberTable label="Header" members={token.header} />
    </section>
  );
};
