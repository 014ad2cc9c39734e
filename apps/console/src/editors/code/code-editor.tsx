import { lazy, Suspense } from "react";
import { Loading } from "../../components/loading.tsx";
import type { CodeEditorProps } from "./code-editor-props.ts";

const Editor = lazy(() => import("./code-mirror.tsx"));

/** An editor of code; its library is loaded when the first one is shown. */
export const CodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<Loading what="the editor" />}>
    <Editor {...props} />
  </Suspense>
);
