import { createHash } from 'node:crypto';
import type { PageHandler } from './router.js';

/** A small page of ours: its own script may run and ask this server, nothing else may. */
export interface HtmlPage {
  title: string;
  /** HTML without scripts. */
  body: string;
  /** JavaScript. */
  script: string;
}

export interface HtmlDocument {
  headers: Readonly<Record<string, string>>;
  text: string;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1rem; color: #1b1f24; }
[hidden] { display: none !important; }
button, input { font: inherit; padding: .5rem .75rem; border-radius: .375rem; box-sizing: border-box; }
button { padding-inline: 1.5rem; border: 0; background: #0969da; color: #fff; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 2px solid #0969da; outline-offset: 2px; }
input { border: 1px solid #8c959f; background: transparent; color: inherit; }
label { display: block; margin-top: 1rem; }
label + input { width: 100%; }
.check { margin: 1rem 0; }
.check input { width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; }
small { display: block; color: #59636e; }
pre, code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; padding: .75rem; border: 1px solid #d1d9e0; border-radius: .375rem; }
#secret { word-break: break-all; }
a { color: #0969da; }
@media (prefers-color-scheme: dark) {
body { background: #0d1117; color: #e6edf3; }
button { background: #1f6feb; }
small { color: #9198a1; }
pre { border-color: #3d444d; }
a { color: #4493f8; }
}`;

/** The page's text, and the headers that go with it. */
export function htmlDocument({ title, body, script }: HtmlPage): HtmlDocument {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src ${hashed(STYLE)}; script-src ${hashed(script)}; connect-src 'self'; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${title}</title><style>${STYLE}</style></head>
<body>
${body}
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`;
  return { headers, text };
}

export function htmlPage(page: HtmlPage): PageHandler {
  const { headers, text } = htmlDocument(page);
  return () => ({ status: 200, headers, body: text });
}

const hashed = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
