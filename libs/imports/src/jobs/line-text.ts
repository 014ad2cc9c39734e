/** Lines of imports in the short form of policy tests: `Person ann {age: 7} identity`. */
interface Ref {
  readonly type: string;
  readonly external_id: string;
}

interface Property {
  readonly type: string;
  readonly value?: unknown;
  readonly external_value?: string;
  readonly metadata?: object;
}

interface Content extends Ref {
  readonly is_identity?: boolean;
  readonly labels?: readonly string[];
  readonly properties?: readonly Property[];
}

interface Line {
  readonly node?: Content;
  readonly relationship?: {
    readonly source: Ref;
    readonly target: Ref;
    readonly type: string;
    readonly properties?: readonly Property[];
  };
}

const word = (text: string): string => (/^[^\s{}"]+$/.test(text) ? text : JSON.stringify(text));

const refText = ({ type, external_id }: Ref): string => `${type} ${word(external_id)}`;

const propertiesText = (properties: readonly Property[] = []): string => {
  const texts = properties.map(({ type, ...rest }) => {
    const isPlain = rest.metadata === undefined && rest.external_value === undefined;
    return `${type}: ${JSON.stringify(isPlain ? rest.value : rest)}`;
  });
  return texts.length === 0 ? "" : ` {${texts.join(", ")}}`;
};

/** @param line a parsed line of an import */
export const lineText = (line: unknown): string => {
  const { node, relationship } = line as Line; // validated by the contract
  if (node !== undefined) {
    const labels = (node.labels ?? []).map((label) => ` :${label}`).join("");
    const identity = node.is_identity === true ? " identity" : "";
    return `${refText(node)}${labels}${propertiesText(node.properties)}${identity}`;
  }
  if (relationship === undefined) return JSON.stringify(line);
  const { source, type, target, properties } = relationship;
  return `${refText(source)} -${type}${propertiesText(properties)}-> ${refText(target)}`;
};
