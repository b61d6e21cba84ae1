export { historyRoutes } from './routes.js';
