/**
 * Characters of a JSON value as text, counted only up to a limit: a selector may take the same part of an answer again
 * and again, and the text of that would be much longer than the answer.
 */
export const jsonSize = (value: unknown, limit: number): number => {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const next = open.pop();
    if (typeof next === "string") size += next.length + 2;
    else if (Array.isArray(next)) {
      size += 2 + next.length;
      for (const item of next) open.push(item);
    } else if (typeof next === "object" && next !== null) {
      size += 2;
      for (const [name, member] of Object.entries(next)) {
        size += name.length + 4;
        open.push(member);
      }
    } else size += String(next).length;
  }
  return size;
};
