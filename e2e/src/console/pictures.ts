/** The pictures of docs/console.md, which show the screens as they are today. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { long } from "../long.ts";

const isUpdate = process.env["UPDATE_DOCS"] === "1";

/** Share of a picture that may look otherwise: names, times and the places in a drawing do. */
const mostDifference = 0.03;

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/console/${name}.png`, import.meta.url));

/** Runs in the browser, which reads pictures: the share of places that are lighter or darker, seen from some distance. */
const difference = `async (sources) => {
  const width = 160;
  const images = sources.map((source) => Object.assign(new Image(), { src: source }));
  await Promise.all(images.map((image) => image.decode()));
  const heights = images.map((image) => Math.round((width * image.height) / image.width));
  const height = Math.max(...heights);
  const [one, other] = images.map((image, at) => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, width, heights[at]);
    const { data } = context.getImageData(0, 0, width, height);
    return Array.from({ length: width * height }, (_, place) => data[4 * place] + data[4 * place + 1] + data[4 * place + 2]);
  });
  return one.filter((light, place) => Math.abs(light - other[place]) > 96).length / one.length;
}`;

const dataUrl = (picture: Buffer): string => `data:image/png;base64,${picture.toString("base64")}`;

/** True for a picture of docs/console, in the long run: letters look otherwise on another system. */
export const isPictured = (name: string): boolean =>
  (long(false, true) || isUpdate) && existsSync(fileOf(name));

/**
 * Compares a picture of the page with the one of that name in docs/console; `UPDATE_DOCS=1` replaces it.
 *
 * @throws Error if they differ in more than what changes with every run
 */
export const compareWithDocs = async (page: Page, name: string, picture: Buffer): Promise<void> => {
  const file = fileOf(name);
  if (isUpdate) return writeFileSync(file, picture);
  const blank = await page.context().newPage();
  try {
    const sources = JSON.stringify([dataUrl(picture), dataUrl(readFileSync(file))]);
    const share = Number(await blank.evaluate(`(${difference})(${sources})`));
    if (share <= mostDifference) return;
    throw new Error(
      `docs/console/${name}.png does not show the screen of today (${Math.round(100 * share)} % differ): UPDATE_DOCS=1 npm run test:long -- e2e/test/console writes it anew`,
    );
  } finally {
    await blank.close();
  }
};
