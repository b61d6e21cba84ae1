export { Metrics } from './metrics.js';
export { metricsPage, serveMetrics } from './page.js';
