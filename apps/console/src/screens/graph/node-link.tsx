import { Link } from "@tanstack/react-router";
import { PlainText } from "../../components/plain-text.tsx";
import { TypeMark } from "./type-mark.tsx";

export interface NamedNode {
  readonly type: string;
  readonly external_id: string;
}

interface NodeLinkProps {
  readonly node: NamedNode;
  /** Whether its type stands beside its id. */
  readonly withType?: boolean;
}

/** Opens a node. */
export const NodeLink = ({ node, withType = false }: NodeLinkProps) => (
  <Link to="/graph/node" search={{ type: node.type, id: node.external_id }} className="node-link">
    {withType && (
      <>
        <TypeMark type={node.type} />
        <span className="node-type">
          <PlainText text={node.type} limit={40} />
        </span>
      </>
    )}
    <PlainText text={node.external_id} limit={80} mono />
  </Link>
);
