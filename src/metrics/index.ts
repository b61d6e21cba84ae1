export { Metrics, type FrontGauges } from './metrics.js';
export { metricsPage, serveMetrics } from './page.js';
