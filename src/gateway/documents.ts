import { createHash } from 'node:crypto';
import { asyncapi } from '../protocol/asyncapi.js';
import { openapi } from '../protocol/openapi.js';
import { getAsyncApi, getOpenApi } from '../protocol/rest/documents.js';
import { defineRoute, JsonText, limitOf, type Route, type RouteSpec } from '../protocol/route.js';
import type { PageHandler } from './router.js';

/** The descriptions of both protocols, for programs, of exactly the routes that are served. */
export function documentRoutes(served: readonly RouteSpec[]): Route[] {
  let rest: JsonText | null = null;
  return [
    // Once, and only where somebody asks: it takes long, and a node that takes the lead has no time.
    defineRoute(getOpenApi)(() => {
      rest ??= new JsonText(JSON.stringify(openapi([...served, getOpenApi, getAsyncApi])));
      return { status: 200, body: rest };
    }),
    defineRoute(getAsyncApi)(({ headers }) => ({
      status: 200,
      body: new JsonText(JSON.stringify(asyncapi(hostOf(headers['host'])))),
    })),
  ];
}

/** As the client calls us, if that looks like a host. */
function hostOf(header: string | undefined): string | undefined {
  return header !== undefined && /^[\w.:[\]-]{1,255}$/.test(header) ? header : undefined;
}

/** The same for people: /docs lists what can be called. */
export function documentPages(served: readonly RouteSpec[]): Record<string, PageHandler> {
  const body = docsPage([...served, getOpenApi, getAsyncApi]);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY };
  return {
    '/': () => ({ status: 302, headers: { location: '/docs' }, body: null }),
    '/docs': () => ({ status: 200, headers, body }),
  };
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
td { border-top: 1px solid #d0d7de; padding: .4rem .6rem; vertical-align: top; }
td:first-child { font-family: ui-monospace, monospace; white-space: nowrap; }
small { color: #57606a; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } small { color: #8d96a0; } }`;

/** Its own style, by hash, and nothing else from anywhere. */
const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`;

function docsPage(specs: readonly RouteSpec[]): string {
  const tags = [...new Set(specs.map((spec) => spec.tag))];
  const sections = tags.map((tag) => section(tag, specs.filter((spec) => spec.tag === tag))); // prettier-ignore
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Agent Poker</title><style>${STYLE}</style></head>
<body>
<h1>Agent Poker</h1>
<p>Bots register here, then play over the WebSocket at <code>/ws</code> with the header
<code>Authorization: Bearer API_KEY</code>. Machine-readable: <a href="/api/openapi.json">REST (OpenAPI)</a>,
<a href="/api/asyncapi.json">WebSocket (AsyncAPI)</a>.</p>
${sections.join('\n')}
</body>
</html>
`;
}

function section(tag: string, specs: readonly RouteSpec[]): string {
  return `<h2>${escaped(tag)}</h2>\n<table>\n${specs.map(row).join('\n')}\n</table>`;
}

function row(spec: RouteSpec): string {
  const limit = limitOf(spec);
  const notes = [
    {
      none: 'no key',
      agent: 'API key',
      owner: 'API key or sign-in session',
      admin: 'platform admin',
      operator: 'the operator’s key (ADMIN_KEY), or the sign-in session of the platform’s own agent',
      optional: 'API key or sign-in session, or nothing',
    }[spec.auth],
    limit === null ? 'not limited' : `${limit.max} in ${limit.windowMs / 1000} s per ${limit.per}`,
  ];
  return `<tr><td>${spec.method} ${escaped(spec.path)}</td><td>${escaped(spec.summary)}<br><small>${notes.join(' · ')}</small></td></tr>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
