import { createHash } from 'node:crypto';
import type { Page } from './router.js';

/** A small page of ours: its own script may run and ask this server, nothing else may. */
export interface HtmlPage {
  title: string;
  /** HTML without scripts. */
  body: string;
  /** JavaScript. */
  script: string;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1rem; color: #1b1f24; }
button { font: inherit; padding: .5rem 1.5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } }`;

export function htmlPage({ title, body, script }: HtmlPage): Page {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src ${hashed(STYLE)}; script-src ${hashed(script)}; connect-src 'self'; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${title}</title><style>${STYLE}</style></head>
<body>
${body}
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`;
  return () => ({ status: 200, headers, body: text });
}

const hashed = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
