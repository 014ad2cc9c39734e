/** Images of the services of another tree, under names of their own, beside those of this one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";
import { services } from "../services/service-names.ts";
import { buildImages } from "./images.ts";

/** @param name as docker-compose.yml and the overlays say it, without `ikg/` */
export const formerImage = (name: string): string => `ikg-former/${name}`;

/** Writes a file of compose that says these names. @returns its path */
export const writeFormerImages = (home: Home): string => {
  const file = join(home.root, "former-images.json");
  const images = [...services.map((name) => [name, name]), ["bootstrap", "configs"]];
  const entries = images.map(([service = "", name = ""]) => [service, { image: formerImage(name) }]);
  writeFileSync(file, JSON.stringify({ services: Object.fromEntries(entries) }));
  return file;
};

/** @param folder of the other tree */
export const buildFormerImages = (folder: string, home: Home, signal: AbortSignal): Promise<unknown> =>
  buildImages(signal, [join(folder, "docker-compose.yml"), writeFormerImages(home)], "the former services");
