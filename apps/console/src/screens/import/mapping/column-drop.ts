import { type DragEvent, useState } from "react";

const format = "application/x-ikg-column";

/** Makes an element draggable, with the name of a column. */
export const columnDrag = (column: string) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent): void => {
    dataTransfer.setData(format, column);
    dataTransfer.setData("text/plain", column);
    dataTransfer.effectAllowed = "copy";
  },
});

/** Makes an element a drop target for columns; `data-over` marks it while a column is above it. */
export const useColumnDrop = (onColumn: (column: string) => void) => {
  const [isOver, setOver] = useState(false);
  const isColumn = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(format);
  return {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent): void => {
      if (!isColumn(event)) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    },
    onDragLeave: (): void => setOver(false),
    onDrop: (event: DragEvent): void => {
      setOver(false);
      if (!isColumn(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onColumn(event.dataTransfer.getData(format));
    },
  };
};
