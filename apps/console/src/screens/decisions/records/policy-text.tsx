import { Link } from "@tanstack/react-router";
import { PlainText } from "../../../components/plain-text.tsx";
import { type Names, shortGid } from "./names.ts";

interface PolicyTextProps {
  readonly id: string;
  readonly names: Names;
}

/** A policy, by its name if it is still there and the roles read policies. */
export const PolicyText = ({ id, names }: PolicyTextProps) => {
  const name = names.policies.get(id);
  if (name === undefined) return <PlainText text={shortGid(id)} mono />;
  return (
    <Link to="/policies/$policy" params={{ policy: name }}>
      <PlainText text={name} limit={60} />
    </Link>
  );
};
