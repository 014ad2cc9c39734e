interface ZoomControlsProps {
  readonly onLarger: () => void;
  readonly onSmaller: () => void;
  readonly onFit: () => void;
}

/** Changes the size of the drawing by clicks. */
export const ZoomControls = ({ onLarger, onSmaller, onFit }: ZoomControlsProps) => (
  <div className="canvas-tools" role="group" aria-label="Size of the drawing">
    <button type="button" className="button small" aria-label="Larger" onClick={onLarger}>
      +
    </button>
    <button type="button" className="button small" aria-label="Smaller" onClick={onSmaller}>
      −
    </button>
    <button type="button" className="button small" onClick={onFit}>
      Fit
    </button>
  </div>
);
