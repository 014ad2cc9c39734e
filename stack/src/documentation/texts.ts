/** The texts of the repository that people wrote: what tests of their references and of their words read. */
import { globSync } from "node:fs";
import { repository, textInRepository } from "../repository.ts";

const isGenerated = (path: string): boolean => /(^|\/)(node_modules|\.tools|\.ikg|dist)$/.test(path);

const isRead = (path: string): boolean => !/(^|\/)(recorded\.json|references\.test\.ts)$/.test(path);

const folders = "libs,services,apps,stack,e2e,bench,docs,k8s,examples,deploy,monitoring";
const endings = "ts,tsx,mjs,cjs,js,sh,py,md,yml,yaml,json,css,html,tpl";

export const paths: readonly string[] = [
  ...globSync(`{${folders}}/**/{*.{${endings}},Dockerfile}`, { cwd: repository, exclude: isGenerated }),
  ...globSync(["*.{md,yml,mjs,cjs}", ".dependency-cruiser.cjs", ".ci/*", "Dockerfile"], { cwd: repository }),
].filter(isRead);

/** The whole text; of the changelog what is not released, because what was released stays as it was. */
export const textOf = (path: string): string => {
  const text = textInRepository(path);
  return path === "CHANGELOG.md"
    ? (/^## \[Unreleased\]\n[^]*?(?=^## |(?![^]))/m.exec(text)?.[0] ?? "")
    : text;
};

const isPage = (path: string): boolean => path.endsWith(".md");

const commentsOf = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => /^\s*(?:\*|\/\/|\/\*|#|<!--|\{\{\/\*).*|(?<=\s)\/\/ .*/.exec(line)?.[0] ?? [])
    .join("\n");

/** Strings of several words: sentences, where names and data are one word. */
const stringsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g)]
    .map(([, , inner = ""]) => inner)
    .filter((inner) => /\s/.test(inner));

/** The whole of a page, the comments of another file. */
export const proseOf = (path: string): string => (isPage(path) ? textOf(path) : commentsOf(textOf(path)));

/** Prose, and what programs print and name: strings of programs, and the values of YAML. */
export const sentencesOf = (path: string): readonly string[] =>
  /\.ya?ml$/.test(path) ? [textOf(path)] : [proseOf(path), ...(isPage(path) ? [] : stringsOf(textOf(path)))];

/** As one line: comments may break a reference over two lines. */
export const joinLines = (text: string): string => text.replaceAll(/\s*\n\s*(\*|\/\/|#)?\s*/g, " ");
