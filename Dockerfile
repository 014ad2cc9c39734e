# One image per service, of one file: docker build --target access -t ikg/access .
# Each runs the TypeScript of this repository as it is, with the locked packages of production, as a user without rights,
# on a root file system that may be read-only. Everything that differs between environments comes from variables.
ARG NODE_IMAGE=node:24-bookworm-slim

# What the services are made of, with every locked package in pnpm's store.
FROM ${NODE_IMAGE} AS packages
WORKDIR /build
ENV CI=true NPM_CONFIG_UPDATE_NOTIFIER=false
COPY stack/versions.json stack/
RUN npm install --global "pnpm@$(node -p 'require("./stack/versions.json").pnpm')"
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod && rm -rf node_modules
COPY . .
# Owned by the user of the services; a new volume that is mounted there takes this over.
RUN mkdir -m 700 /credentials

FROM packages AS assembled-configs
RUN node stack/image/assemble.mjs configs /app
FROM packages AS assembled-capture
RUN node stack/image/assemble.mjs capture /app
FROM packages AS assembled-access
RUN node stack/image/assemble.mjs access /app
FROM packages AS assembled-ciq
RUN node stack/image/assemble.mjs ciq /app
FROM packages AS assembled-mcp
RUN node stack/image/assemble.mjs mcp /app
FROM packages AS assembled-trust-scorer
RUN node stack/image/assemble.mjs trust-scorer /app
FROM packages AS assembled-audit
RUN node stack/image/assemble.mjs audit /app
FROM packages AS assembled-gateway
RUN node stack/image/assemble.mjs gateway /app

# The console's static files; nothing that builds them is in an image.
FROM ${NODE_IMAGE} AS built-console
WORKDIR /build
ENV CI=true NPM_CONFIG_UPDATE_NOTIFIER=false
COPY --from=packages /build/stack/versions.json stack/
RUN npm install --global "pnpm@$(node -p 'require("./stack/versions.json").pnpm')"
COPY . .
RUN pnpm --filter @ikg/console... install --frozen-lockfile && node apps/console/build.ts

# What all services share; no shell runs in it.
FROM ${NODE_IMAGE} AS service
ARG VERSION=0.2.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.vendor="IKG" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9090
WORKDIR /app
USER 1000:1000
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
# A service with INTERNAL_TLS_CERTIFICATE speaks TLS, the gateway never: whose certificate it is says nothing about health.
HEALTHCHECK --interval=10s --timeout=10s --start-period=90s --retries=3 \
  CMD ["node", "-e", "const get = (by) => new Promise((done, fail) => require('node:' + by).get(`${by}://127.0.0.1:${process.env.PORT}/readyz`, { rejectUnauthorized: false }, ({ statusCode }) => done(statusCode === 200)).on('error', fail)); (process.env.INTERNAL_TLS_CERTIFICATE ? get('https').catch(() => get('http')) : get('http')).then((ok) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Room for what lives for one request, as in stack/src/services/services.ts.
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=32"]

# The image of configs also makes the first credential: services/configs/src/bootstrap.ts.
FROM service AS configs
LABEL org.opencontainers.image.title="ikg-configs" \
      org.opencontainers.image.description="Environment, policies, queries: everything configurable."
COPY --from=assembled-configs /app /app
COPY --from=packages --chown=1000:1000 /credentials /credentials
CMD ["services/configs/src/main.ts"]

FROM service AS capture
LABEL org.opencontainers.image.title="ikg-capture" \
      org.opencontainers.image.description="Writes the graph."
COPY --from=assembled-capture /app /app
CMD ["services/capture/src/main.ts"]

FROM service AS access
LABEL org.opencontainers.image.title="ikg-access" \
      org.opencontainers.image.description="Decisions and searches."
COPY --from=assembled-access /app /app
CMD ["services/access/src/main.ts"]

FROM service AS ciq
LABEL org.opencontainers.image.title="ikg-ciq" \
      org.opencontainers.image.description="Context queries."
COPY --from=assembled-ciq /app /app
ENTRYPOINT ["node", "--min-semi-space-size=16", "--max-semi-space-size=16"]
CMD ["services/ciq/src/main.ts"]

FROM service AS mcp
LABEL org.opencontainers.image.title="ikg-mcp" \
      org.opencontainers.image.description="The endpoint of the Model Context Protocol."
COPY --from=assembled-mcp /app /app
CMD ["services/mcp/src/main.ts"]

FROM service AS trust-scorer
LABEL org.opencontainers.image.title="ikg-trust-scorer" \
      org.opencontainers.image.description="Scores the nodes of trust score profiles on schedule."
COPY --from=assembled-trust-scorer /app /app
ENTRYPOINT ["node", "--max-semi-space-size=8"]
CMD ["services/trust-scorer/src/main.ts"]

FROM service AS audit
LABEL org.opencontainers.image.title="ikg-audit" \
      org.opencontainers.image.description="Signed chains of audit records."
COPY --from=assembled-audit /app /app
CMD ["services/audit/src/main.ts"]

FROM service AS gateway
LABEL org.opencontainers.image.title="ikg-gateway" \
      org.opencontainers.image.description="Authenticates callers and proxies to the services."
COPY --from=assembled-gateway /app /app
COPY --from=built-console /build/apps/console/dist /app/apps/console/dist
CMD ["services/gateway/src/main.ts"]
