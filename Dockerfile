# hydrant in a container: docker build -t hydrant . && docker compose up
# The image holds what `npm pack` gives a user, in which the packages are bundled: no sources, no tests, no compiler.

FROM node:24-slim AS build
WORKDIR /build
# First what changes seldom, so that the packages are a layer of their own.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm run man && npm pack --ignore-scripts && mkdir /package && tar -xzf hydrant-*.tgz -C /package --strip-components=1

FROM node:24-slim
LABEL org.opencontainers.image.title="hydrant" org.opencontainers.image.licenses="MIT"
COPY --from=build --chown=root:root /package /opt/hydrant
# `hydrant` in the container speaks to its daemon. Nothing is written but below /data, so that the root file system may
# be read-only; the compile cache needs a place that is written, and saves nothing in a process that stays.
RUN ln -s /opt/hydrant/bin/hydrant /opt/hydrant/bin/hydrantd /usr/local/bin/ && install -d -m 0700 -o node -g node /data
ENV HYDRANT_DATA_DIR=/data HYDRANT_LISTEN=0.0.0.0 HYDRANT_LOG_FORMAT=json NODE_ENV=production NODE_DISABLE_COMPILE_CACHE=1
USER node
VOLUME /data
EXPOSE 7878
# Through the operator's socket: it says that the daemon answers, and needs neither a key nor a port.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["hydrant", "status", "--quiet"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["hydrantd"]
