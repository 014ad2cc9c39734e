import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNote } from "../components/error-note.tsx";

/** Instead of a screen that failed; other screens still work. */
export const ScreenError = ({ error, reset }: ErrorComponentProps) => (
  <ErrorNote error={error} title="This screen failed" onRetry={reset} />
);
