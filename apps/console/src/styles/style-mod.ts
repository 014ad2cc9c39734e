/**
 * Takes the place of `style-mod`, by which CodeMirror brings its styles: the style element that it makes in a document is what the
 * page's content security policy refuses. Constructed style sheets are allowed.
 */
import { StyleModule as Original } from "style-mod-original";
import { mergeModules } from "./merge-modules.ts";

type Root = Pick<DocumentOrShadowRoot, "adoptedStyleSheets">;

/** What a document or shadow root has of it. */
interface Mounted {
  readonly sheet: CSSStyleSheet;
  modules: readonly Original[];
}

const mountedOf = new WeakMap<Root, Mounted>();

const mountIn = (root: Root): Mounted => {
  const known = mountedOf.get(root);
  if (known !== undefined) return known;
  const mounted: Mounted = { sheet: new CSSStyleSheet(), modules: [] };
  mountedOf.set(root, mounted);
  // First, so that the style sheets of the page win.
  root.adoptedStyleSheets = [mounted.sheet, ...root.adoptedStyleSheets];
  return mounted;
};

export class StyleModule extends Original {
  static override mount(root: Root, given: Original | readonly Original[]): void {
    const mounted = mountIn(root);
    const merged = mergeModules(mounted.modules, "length" in given ? given : [given]);
    if (merged.length === mounted.modules.length && merged.every((each, at) => each === mounted.modules[at]))
      return;
    mounted.modules = merged;
    mounted.sheet.replaceSync(merged.map((each) => each.getRules()).join("\n"));
  }
}
