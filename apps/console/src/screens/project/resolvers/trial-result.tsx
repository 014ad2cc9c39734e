import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { countText } from "../../../text/count-text.ts";
import { valueText } from "../../../text/json.ts";
import { resolverReasonTexts } from "../../../text/resolver-reasons.ts";
import type { TryResult } from "./try-resolver.ts";

/** What became of the calls of a resolver in one run. */
export const TrialResult = ({ result: { rows, failures, values } }: { readonly result: TryResult }) => (
  <>
    <Verdict rows={rows} failures={failures} />
    {values.length > 0 && (
      <div className="table-scroll" role="region" aria-label="Values" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Value of the first rows</th>
              <th scope="col">Is</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ path, value }, at) => (
              <tr key={`${at} ${path}`}>
                <td>
                  <PlainText text={path} limit={120} mono />
                </td>
                <td className="wide">
                  <PlainText text={valueText(value)} limit={300} mono />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </>
);

const Verdict = ({ rows, failures }: Pick<TryResult, "rows" | "failures">) => {
  if (failures.length > 0)
    return (
      <Note tone="warn">
        <p>
          <strong>A value could not be fetched</strong>
        </p>
        <ul>
          {failures.map(({ reason, path, count }) => (
            <li key={`${reason} ${path}`}>
              {resolverReasonTexts[reason]}: <PlainText text={path} limit={120} mono /> in{" "}
              {countText(count, "row")} (<code>{reason}</code>)
            </li>
          ))}
        </ul>
      </Note>
    );
  if (rows === 0)
    return (
      <Note tone="info">
        <p>The query has no rows, so no resolver was called.</p>
      </Note>
    );
  return (
    <Note tone="good">
      <p>
        {countText(rows, "row")}, and no call of this resolver failed. If its value is not below, the query
        does not return it.
      </p>
    </Note>
  );
};
