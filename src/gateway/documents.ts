import { asyncapi } from '../protocol/asyncapi.js';
import { openapi } from '../protocol/openapi.js';
import { getAsyncApi, getOpenApi } from '../protocol/rest/documents.js';
import { defineRoute, JsonText, type Route, type RouteSpec } from '../protocol/route.js';

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
