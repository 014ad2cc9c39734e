/** While something is loading: announced, and shown only if it takes long enough to be seen. */
export const Loading = ({ what }: { readonly what: string }) => (
  <div className="loading" role="status">
    <span className="spinner" aria-hidden="true" />
    Loading {what}…
  </div>
);
