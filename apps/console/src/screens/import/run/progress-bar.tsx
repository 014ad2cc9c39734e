interface ProgressBarProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** How far something is. */
export const ProgressBar = ({ label, share }: ProgressBarProps) => (
  <span className="import-bar">
    <progress aria-label={label} max={100} value={Math.floor(share * 100)} />
    <span className="hint">{Math.floor(share * 100)} %</span>
  </span>
);
