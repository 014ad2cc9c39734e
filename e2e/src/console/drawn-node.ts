import type { Page } from "playwright-core";

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface DrawnNode {
  /** In the drawing's own measure, which zooming and moving do not change. */
  readonly place: Point;
  /** Where a mouse finds it. */
  readonly onPage: Point;
}

/** Where a node stands in the drawing, once that has come to rest. */
export const drawnNode = async (page: Page, type: string, id: string): Promise<DrawnNode> => {
  await page.locator(".neighbourhood-canvas canvas").first().waitFor();
  await page.locator(".neighbourhood-canvas").scrollIntoViewIfNeeded();
  const key = JSON.stringify(JSON.stringify([type, id]));
  // The library keeps its object at the element.
  return page.evaluate<DrawnNode>(`new Promise((done, failed) => {
    const element = document.querySelector(".neighbourhood-canvas");
    const core = element._cyreg.cy;
    const node = core.getElementById(${key});
    if (node.empty()) return failed(new Error("not drawn"));
    const at = () => {
      const box = element.getBoundingClientRect();
      const { x, y } = node.renderedPosition();
      return { x: Math.round(box.x + x), y: Math.round(box.y + y) };
    };
    const whenAtRest = (before) => setTimeout(() => {
      const now = at();
      if (now.x !== before.x || now.y !== before.y || core.animated()) return whenAtRest(now);
      const { x, y } = node.position();
      done({ place: { x, y }, onPage: now });
    }, 120);
    whenAtRest(at());
  })`);
};
