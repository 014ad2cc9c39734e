/** The logo of the product. */
export const Logo = () => (
  <span className="logo">
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <rect width="32" height="32" rx="8" className="logo-ground" />
      <path d="M10 21 L16 10 L23 19 Z" className="logo-line" />
      <circle cx="16" cy="10" r="3" className="logo-node" />
      <circle cx="10" cy="21" r="3" className="logo-node" />
      <circle cx="23" cy="19" r="3" className="logo-node" />
    </svg>
    <span>IKG</span>
  </span>
);
