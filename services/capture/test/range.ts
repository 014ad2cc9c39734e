/** The first whole numbers, from 0 on. */
export const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
