import { createContext, useContext } from "react";
import { type Shape, type TypeLooks, typeLooks } from "./type-looks.ts";

/** Looks of the project's types. */
export const LooksContext = createContext<TypeLooks>(typeLooks([]));

/** Outlines of 14 by 14 points. */
const outlines: Readonly<Record<Shape, string>> = {
  ellipse: "M7 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Z",
  "round-rectangle":
    "M3.5 2h7A1.5 1.5 0 0 1 12 3.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 2 10.5v-7A1.5 1.5 0 0 1 3.5 2Z",
  diamond: "M7 1 13 7 7 13 1 7Z",
  "round-triangle": "M7 1.5 12.8 12H1.2Z",
  hexagon: "M4 2h6l3 5-3 5H4L1 7Z",
  star: "M7 .8l1.8 4 4.4.5-3.3 2.9.9 4.3L7 10.3l-3.8 2.2.9-4.3L.8 5.3l4.4-.5Z",
};

/** The mark by which nodes of a type are known in lists and in the drawing. */
export const TypeMark = ({ type }: { readonly type: string }) => {
  const { color, shape } = useContext(LooksContext)(type);
  return (
    <svg
      className={`type-mark ${color.slice(2)}`}
      viewBox="0 0 14 14"
      width="14"
      height="14"
      aria-hidden="true"
    >
      <path d={outlines[shape]} />
    </svg>
  );
};
