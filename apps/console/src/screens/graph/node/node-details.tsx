import type { WholeNode } from "@ikg/client";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { LookCopies } from "../copy/look-copies.tsx";
import { TypeMark } from "../type-mark.tsx";
import { PropertyTable } from "./property-table.tsx";
import { TrustScore } from "./trust-score.tsx";

interface NodeDetailsProps {
  readonly projectId: string;
  readonly node: WholeNode;
}

/** Everything that is stored of a node. */
export const NodeDetails = ({ projectId, node }: NodeDetailsProps) => {
  const { type, external_id: id, is_identity: isIdentity, labels, location, properties } = node;
  return (
    <section className="stack" aria-labelledby="node-name">
      <div className="list-head">
        <div className="node-head">
          <h2 id="node-name" className="node-name">
            <TypeMark type={type} />
            <span className="node-type">
              <PlainText text={type} limit={60} />
            </span>
            <PlainText text={id} limit={200} mono />
          </h2>
          <p className="row hint">
            {isIdentity && <span className="tag">identity</span>}
            {labels.map((label) => (
              <span className="tag" key={label}>
                <PlainText text={label} limit={40} />
              </span>
            ))}
            {location !== undefined && (
              <span>
                in <PlainText text={location} limit={60} />
              </span>
            )}
            {node.create_time !== undefined && (
              <span>
                created <Instant at={node.create_time} />
              </span>
            )}
            {node.update_time !== undefined && node.update_time !== node.create_time && (
              <span>
                changed <Instant at={node.update_time} />
              </span>
            )}
          </p>
        </div>
        <LookCopies look={{ kind: "node", type, id }} projectId={projectId} label="Copy the node" withLink />
      </div>
      <div className="node-properties">
        <PropertyTable properties={properties} />
      </div>
      {node.trust_score !== undefined && <TrustScore score={node.trust_score} />}
    </section>
  );
};
