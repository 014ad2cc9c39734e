import { placeOf, type Place } from "./place.ts";

/** One reason why a text is refused, and where; `offset` counts from 0 (UTF-16 units). */
export interface Fault extends Place {
  readonly message: string;
  readonly offset: number;
}

/** Places a message in the text. */
export const faultAt = (text: string, offset: number, message: string): Fault => ({
  message,
  ...placeOf(text, offset),
  offset,
});
