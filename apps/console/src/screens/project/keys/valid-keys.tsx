import { Instant } from "../../../components/instant.tsx";
import { type Expiring, keysSummary } from "./key-state.ts";

/** How many keys or tokens of one caller are valid, and until when. */
export const ValidKeys = ({ keys }: { readonly keys: readonly Expiring[] }) => {
  const { valid, until } = keysSummary(keys, Date.now());
  if (valid === 0) return <span className="tag warn">none valid</span>;
  return (
    <span className="record-name">
      {valid} valid
      <small>
        {until === undefined ? (
          "never expires"
        ) : (
          <>
            until <Instant at={until} />
          </>
        )}
      </small>
    </span>
  );
};
