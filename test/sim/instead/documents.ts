import type * as real from '../../../src/gateway/documents.js';

/** src/gateway/documents.ts without the documents, which take longer to write than a seed to run. */
export const documentRoutes: typeof real.documentRoutes = () => [];
