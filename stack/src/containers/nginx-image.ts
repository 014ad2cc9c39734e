/** The image of nginx, which tests put in front of the suite as an operator does. */
import { step } from "../../launch/progress.mjs";
import { inRepository } from "../repository.ts";
import { docker } from "./compose.ts";
import { canHave } from "./engine.ts";

const image = "nginx:1.28";
const standIn = "ikg-test/nginx";

/** @returns an image that this machine has, whose program is `nginx` */
export const prepareNginx = async (signal: AbortSignal): Promise<string> => {
  if (await canHave(image, signal)) return image;
  await step(`${image} cannot be pulled: nginx from Debian's package`, () =>
    docker(["build", "--tag", standIn, inRepository("stack", "image", "nginx")], signal),
  );
  return standIn;
};
