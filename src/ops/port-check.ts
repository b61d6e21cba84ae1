import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ConfigError, type Config } from './config.js';

type Ports = Pick<Config, 'HOST' | 'PORT' | 'METRICS_PORT'>;

/**
 * Listens for a moment where the server will, so that a port which is taken is reported before a database is started
 * for nothing. Throws ConfigError; who takes the port after that is reported by the transport.
 */
export async function checkPorts({ HOST, PORT, METRICS_PORT }: Ports): Promise<void> {
  await tryPort('PORT', HOST, PORT);
  if (METRICS_PORT !== undefined) await tryPort('METRICS_PORT', '127.0.0.1', METRICS_PORT);
}

/** A port that is free. One that a transport was given for port 0 cannot be listened on a second time soon. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0, exclusive: true });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function tryPort(setting: string, host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError(words(setting, host, port, (error as NodeJS.ErrnoException).code ?? ''));
  }
  server.close();
  await once(server, 'close');
}

function words(setting: string, host: string, port: number, code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: stop what listens there, or choose another: ${setting}=${port + 1}.`;
    case 'EACCES':
      return `Port ${port} may not be used by this account: choose one above 1023: ${setting}=8080.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${host} is no address of this machine (${code}).`;
    default:
      return `${host}:${port} cannot be listened on (${code}): see HOST and ${setting}.`;
  }
}
