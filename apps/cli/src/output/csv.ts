import { cellOf } from "./cell.ts";

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string =>
  `${values.map((value) => quoted(cellOf(value))).join(",")}\r\n`;
