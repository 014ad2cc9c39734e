import { type ReactNode, useState } from "react";

interface OptionalFieldsProps {
  readonly summary: string;
  /** Opens them by itself, where one of them has a value for example. */
  readonly isUsed: boolean;
  readonly isCard?: boolean;
  readonly children: ReactNode;
}

/** Fields that open on request, or when they come into use. Emptying one does not close them around it. */
export const OptionalFields = ({ summary, isUsed, isCard = false, children }: OptionalFieldsProps) => {
  const [isOpen, setOpen] = useState(isUsed);
  const [wasUsed, setWasUsed] = useState(isUsed);
  if (isUsed !== wasUsed) {
    setWasUsed(isUsed);
    if (isUsed) setOpen(true);
  }
  return (
    <details
      className={isCard ? "card options" : "options"}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
};
