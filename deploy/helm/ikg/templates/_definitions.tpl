{{- /* Labels of every object. */ -}}
{{- define "ikg.labels" -}}
app.kubernetes.io/part-of: ikg
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* The image of a service: a digest wins over a tag, its own tag over that of all. */ -}}
{{- define "ikg.image" -}}
{{- $image := .root.Values.image }}
{{- $own := .image | default dict }}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}/{{ .name }}
{{- if $own.digest }}@{{ $own.digest }}{{ else }}:{{ $own.tag | default $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* A value as the text of a variable. Helm reads numbers of values as floats, and would write 64000000 as 6.4e+07. */ -}}
{{- define "ikg.text" -}}
{{- if kindIs "float64" . }}
{{- if eq . (floor .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- else }}{{ . }}{{ end }}
{{- end }}

{{- /* Variables from the Secrets, whose names are values. With `neo4jUsers` the entries of Neo4j are those of the service. */ -}}
{{- define "ikg.environment" -}}
{{- $own := ternary (printf "%s_" (.name | upper | replace "-" "_")) "" .root.Values.neo4jUsers.enabled }}
{{- range .entries }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ index $.root.Values.secrets .secret }}
      key: {{ if hasPrefix "NEO4J_" .key }}{{ $own }}{{ end }}{{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
