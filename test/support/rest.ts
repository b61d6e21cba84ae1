import { HttpError } from '../../src/protocol/rest/errors.js';
import type { Route } from '../../src/protocol/route.js';
import { recordAnswer } from './recorder.js';

export interface Ask {
  agentId?: string;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  ip?: string;
  headers?: Record<string, string>;
}

export interface RestAnswer {
  status: number;
  /** Parsed JSON. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** Calls a feature's routes without a server, by the id of the route. Every answer is recorded. */
export function asker(routes: readonly Route[]): (id: string, ask?: Ask) => Promise<RestAnswer> {
  return async (id, { agentId, params = {}, query = '', body, ip = '127.0.0.1', headers = {} } = {}) => {
    const route = routes.find(({ spec }) => spec.id === id);
    if (route === undefined) throw new Error(`no route ${id}`);
    const agent = agentId === undefined ? null : { agentId, name: 'unused', isAdmin: false };
    const text = body === undefined ? '' : JSON.stringify(body);
    const { signal } = new AbortController();
    const told = await route.run({ params, query, body: text, agent, ip, headers, signal }).then(
      (answer) => ({ status: answer.status, body: JSON.parse(answer.body) as unknown, headers: answer.headers }),
      (error: unknown) => {
        if (!(error instanceof HttpError)) throw error;
        return { status: error.status, body: error.body, headers: error.headers };
      },
    );
    recordAnswer(route.spec, told.status, told.body);
    return told;
  };
}
