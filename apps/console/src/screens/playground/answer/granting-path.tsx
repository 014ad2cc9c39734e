import { lazy, Suspense, useMemo } from "react";
import { displayText } from "../../../text/display-text.ts";
import { Loading } from "../../../components/loading.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { GrantingPath } from "../copy/policy-test.ts";
import type { DrawnEdge, DrawnNode } from "./drawn.ts";

/** The library is loaded when the first path is drawn. */
const Drawing = lazy(() => import("./drawing-canvas.tsx"));

interface Node {
  readonly type: string;
  readonly id: string;
}

interface PathProps {
  readonly path: GrantingPath;
  readonly subject: Node;
  readonly resource: Node;
}

const keyOf = ({ type, id }: Node): string => JSON.stringify([type, id]);

const isSame = (one: Node, other: Node): boolean => keyOf(one) === keyOf(other);

const labelLength = 28;

const drawingOf = ({ path, subject, resource }: PathProps) => ({
  nodes: path.nodes.map((node): DrawnNode => ({
    id: keyOf(node),
    label: `${displayText(node.id, labelLength)}\n${displayText(node.type, labelLength)}`,
    type: node.type,
    isEnd: isSame(node, subject) || isSame(node, resource),
  })),
  edges: path.relationships.map(({ type, source, target }, index): DrawnEdge => ({
    id: `relationship ${index}`,
    source: keyOf(source),
    target: keyOf(target),
    label: displayText(type, labelLength),
  })),
});

const Name = ({ node }: { readonly node: Node }) => (
  <>
    <span className="node-type">
      <PlainText text={node.type} limit={60} />
    </span>{" "}
    <PlainText text={node.id} limit={80} />
  </>
);

/** The nodes and relationships of one match that grants: drawn, and as a list. */
export const GrantingPathView = (props: PathProps) => {
  const { path, subject, resource } = props;
  const { nodes, edges } = useMemo(() => drawingOf({ path, subject, resource }), [path, subject, resource]);
  return (
    <figure className="path">
      <figcaption className="label">The path in the graph that grants it</figcaption>
      <Suspense fallback={<Loading what="the drawing" />}>
        <Drawing label="The granting path; the list below says the same" nodes={nodes} edges={edges} />
      </Suspense>
      <ol className="path-list" aria-label="Granting path">
        {path.relationships.length === 0 &&
          path.nodes.map((node) => (
            <li key={keyOf(node)}>
              <Name node={node} />
            </li>
          ))}
        {path.relationships.map(({ type, source, target }, index) => (
          <li key={`${index} ${type}`}>
            <Name node={source} />{" "}
            <span className="relationship">
              —<PlainText text={type} limit={60} />→
            </span>{" "}
            <Name node={target} />
          </li>
        ))}
      </ol>
    </figure>
  );
};
