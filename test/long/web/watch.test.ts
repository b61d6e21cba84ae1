/** Live tables in a browser, in the whole length. */
await import('../../system/web/watch.test.js');
