import { createRequire } from 'node:module';
import { MAX_HEAD } from './exchange.js';
import type { Listen, Log } from './transport.js';
import type { UwsModule } from './uws-types.js';
import { uwsTransport } from './uws.js';
import { wsTransport } from './ws.js';

export type TransportChoice = 'auto' | 'uws' | 'ws';

const require = createRequire(import.meta.url);

/**
 * Chooses the transport and logs the choice. It tries µWebSockets.js under its official name first (an operator may
 * have built it), then the build for this Node. `uws` insists on it: throws where none loads.
 */
export function chooseTransport(choice: TransportChoice, log: Log, packages = candidates()): Listen {
  if (choice === 'ws') {
    log.info({ transport: 'ws' }, 'transport: node:http with ws, as configured');
    return wsTransport;
  }
  const { module, name, failures } = loadUws(packages);
  if (module !== null) {
    const detail = { transport: 'uws', package: name, node: process.versions.node, passed_over: failures };
    log.info(detail, `transport: µWebSockets.js from ${name}`);
    return uwsTransport(module);
  }
  if (choice === 'uws')
    throw new Error(`TRANSPORT=uws, but µWebSockets.js does not load here (${failures.join('; ')})`);
  const detail = { transport: 'ws', node: process.versions.node, failures };
  log.warn(detail, `transport: node:http with ws, since no µWebSockets.js loads here (${failures.at(-1)})`);
  return wsTransport;
}

/** µWebSockets.js, or why none of the packages loads. */
export function loadUws(packages = candidates()): { module: UwsModule | null; name: string; failures: string[] } {
  const failures: string[] = [];
  // The library reads its limit as it loads, of the environment alone; threads share what the process has loaded first.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(MAX_HEAD);
  for (const name of packages) {
    try {
      return { module: require(name) as UwsModule, name, failures };
    } catch (error) {
      failures.push(`${name}: ${firstLine(error)}`);
    }
  }
  return { module: null, name: '', failures };
}

/** Majors of Node that package.json names a build for. Those for 24 and 26 need glibc 2.38 or newer. */
const BUILDS: readonly number[] = [20, 22, 24, 26];

/** Package names to try, best first. A build is for one major of Node: its binary interface is another in the next. */
export function candidates(nodeMajor = Number(process.versions.node.split('.')[0])): string[] {
  return ['uWebSockets.js', ...(BUILDS.includes(nodeMajor) ? [`uWebSockets.js-node${nodeMajor}`] : [])];
}

function firstLine(error: unknown): string {
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}
