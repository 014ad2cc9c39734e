/** Stands for the content of a record whose text the form cannot show. */
export const JsonOnly = () => <span className="hint">Too complex for the form; edit as JSON</span>;
