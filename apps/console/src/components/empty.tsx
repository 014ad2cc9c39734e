import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  /** What it means, and the next step. */
  readonly children: ReactNode;
}

/** Where there is nothing to show. */
export const Empty = ({ title, children }: EmptyProps) => (
  <section className="empty">
    <h2>{title}</h2>
    {children}
  </section>
);
