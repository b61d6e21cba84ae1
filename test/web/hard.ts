import type { BrowserContext } from 'playwright-core';

/**
 * Hard figures for the pages, made of the server's own answers: stacks and scores of seven digits, intervals of
 * ± 9,999. Every amount is multiplied by one factor, so sums stay right.
 */
const FACTOR = 997;
const CHIPS = /stack|chips|pot|bet|amount|blind|contribution|to_call|raise|payout|score|profit|^net$|won_from|lost_to/;
const NO_CHIPS = /seat|rate|pct|per_100|ci95|count|number|factor|penalty|hands|cap|_id$|three_bet|cbet/;
const WIDE = 9999;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const isChips = (key: string) => CHIPS.test(key) && !NO_CHIPS.test(key);

/** `within`: the nearest key above, which names the numbers of a list. */
function hardened(value: Json, within = ''): Json {
  if (Array.isArray(value)) return value.map((each) => hardened(each, within));
  if (value === null || typeof value !== 'object') {
    return typeof value === 'number' && isChips(within) ? value * FACTOR : value;
  }
  const entries = Object.entries(value).map(([key, each]): [string, Json] => {
    if (/ci95$|^rating_interval$/.test(key)) return [key, [-WIDE, WIDE]];
    if (/bb_per_100(_|$)|^rating$/.test(key)) return [key, -1234.5];
    // In a record by seat the name above says what the numbers are.
    return [key, hardened(each, /^\d+$/.test(key) ? within : key)];
  });
  return Object.fromEntries(entries);
}

/** Pages of this context get hard figures from public answers, from those of owners, and from tables. */
export async function harden(context: BrowserContext): Promise<void> {
  // Settings of forms, and what the operator sets, stay as they are: a form would be refused.
  await context.route(/\/api\/(?!auth|admin|competitions|openapi|asyncapi)/, async (route) => {
    if (route.request().method() !== 'GET' || route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    const isJson = (response.headers()['content-type'] ?? '').includes('application/json');
    return route.fulfill(isJson && response.ok() ? { response, json: hardened(await response.json()) } : { response });
  });
  await context.routeWebSocket(/\/ws\/watch/, (page) => {
    const server = page.connectToServer();
    server.onMessage((message) => page.send(JSON.stringify(hardened(JSON.parse(String(message)) as Json))));
  });
}
