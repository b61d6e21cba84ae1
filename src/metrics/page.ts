import { createServer, type Server } from 'node:http';
import { bearerOf } from '../gateway/operator-key.js';
import type { PageHandler } from '../gateway/router.js';
import type { Metrics } from './metrics.js';

/** A listener of its own for scrapers, on loopback only; port 0 takes a free one. */
export function serveMetrics(metrics: Metrics, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** /metrics on the public port, for the bearer of the admin key only. */
export function metricsPage(metrics: Metrics, adminKey: string): PageHandler {
  const isRight = bearerOf(adminKey);
  return async (request) => {
    const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' };
    if (!isRight(request.header('authorization'))) {
      return { status: 401, headers: { ...headers, 'www-authenticate': 'Bearer' }, body: 'the admin key is missing\n' };
    }
    return {
      status: 200,
      headers: { ...headers, 'content-type': metrics.registry.contentType },
      body: await metrics.text(),
    };
  };
}
