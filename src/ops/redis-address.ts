/** Where Redis is: one server, a master that Sentinels know, or a Cluster. */
export type RedisAddress =
  { kind: 'single'; url: string } | ({ kind: 'sentinel'; master: string } & Servers) | ({ kind: 'cluster' } & Servers);

interface Servers {
  servers: { host: string; port: number }[];
  username: string | undefined;
  password: string | undefined;
  tls: boolean;
}

const SEVERAL =
  /^redis(?<tls>s?)-(?<kind>sentinel|cluster):\/\/((?<user>[^@/:]*)(:(?<password>[^@/]*))?@)?(?<servers>[^@/]+)(\/(?<master>[^/]*))?$/;
const PORTS = { sentinel: 26_379, cluster: 6_379 };

/**
 * Reads these forms: `redis://…`, `rediss://…`, the path of a Unix socket,
 * `redis-sentinel://user:password@host:port,host:port/master` and `redis-cluster://user:password@host:port,host:port`.
 * With TLS they begin with `rediss-…`. Name and password are Redis's own, percent-encoded.
 */
export function redisAddress(text: string): RedisAddress {
  if (!text.includes('-sentinel://') && !text.includes('-cluster://')) return { kind: 'single', url: text };
  const { tls, kind, user, password, servers, master } = SEVERAL.exec(text)?.groups ?? {};
  if (servers === undefined || (kind === 'sentinel') !== Boolean(master)) {
    throw new Error(
      'an address of several Redis servers is redis-sentinel://host:port,…/master or redis-cluster://host:port,…',
    );
  }
  const port = PORTS[kind as keyof typeof PORTS];
  const common: Servers = {
    servers: servers.split(',').map((server) => serverOf(server, port)),
    username: decoded(user),
    password: decoded(password),
    tls: tls === 's',
  };
  return kind === 'sentinel' ? { kind, master: master!, ...common } : { kind: 'cluster', ...common };
}

const decoded = (text: string | undefined) =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text);

function serverOf(text: string, usual: number): { host: string; port: number } {
  const { host, port } = /^(?<host>\[[^\]]+\]|[^:]+)(:(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  if (host === undefined) throw new Error('a server of Redis is host or host:port');
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? usual : Number(port) };
}
