/** The template of the ConfigMaps that services read their settings from. */
import { header, printDocument } from "./document.ts";
import { internalTlsSettings, upstreamAddresses } from "./internal-tls.ts";
import { literalsOf } from "./manifests.ts";
import { fixedSettings } from "./settings.ts";
import { Block, Expression, printTemplate, type Tree, within } from "./template.ts";

const configMap = (name: string, data: Tree | Block): Tree => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

/** What the Ingress is reached by, where nothing else is said. */
const publicUrl = within("if and .Values.ingress.enabled (not .Values.settings.PUBLIC_URL)", {
  PUBLIC_URL: new Expression(
    'printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecret "")) .Values.ingress.host | quote',
  ),
});

const definition = (): string => {
  const { NEO4J_URI = "", NEO4J_HEAVY_STATEMENTS = "" } = literalsOf("overlays/local", "settings");
  return printTemplate({
    ...fixedSettings(),
    ...within("if .Values.stores.embedded", { NEO4J_URI, NEO4J_HEAVY_STATEMENTS }),
    ...publicUrl,
    ...internalTlsSettings(),
    ...within("range $name, $value := .Values.settings", {
      "{{ $name }}": new Expression('include "ikg.text" $value | quote'),
    }),
  });
};

export const settingsTemplate = (): string =>
  [
    header("k8s/base/kustomization.yaml"),
    `{{- define "ikg.settings" -}}\n${definition()}{{- end }}\n`,
    printDocument(configMap("settings", new Block('include "ikg.settings" .'))),
    printDocument(configMap("upstreams", upstreamAddresses())),
  ].join("");
