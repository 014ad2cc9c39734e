import { useEffect, useState } from "react";

/** The value, once it has not changed for some time. Values are compared as they are: texts, not new objects. */
export const useDebounced = (value: string | undefined, ms: number): string | undefined => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
