import { BlockList, isIP } from 'node:net';

/** The owner of an agent as far as the house can tell: the same mailbox, or the same public address. */

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv6');
}

/** The owner keys of a connected agent. House bots have none: they may sit anywhere. */
export function ownerKeys(agent: { email: string; isHouse: boolean }, ip: string): string[] {
  if (agent.isHouse) return [];
  const address = publicAddress(ip);
  return [`mail ${mailbox(agent.email)}`, ...(address === null ? [] : [`ip ${address}`])];
}

export function sameOwner(a: readonly string[], b: readonly string[]): boolean {
  return a.some((key) => b.includes(key));
}

/** An e-mail address without case and without the +tag. */
export function mailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, at).split('+', 1);
  return `${local}${email.slice(at)}`.toLowerCase();
}

/** The address as one host or household has it (IPv6: its /64 network), or null when it is not a public one. */
export function publicAddress(ip: string): string | null {
  const plain = ip.toLowerCase().startsWith('::ffff:') && ip.includes('.') ? ip.slice(7) : ip;
  const family = isIP(plain);
  if (family === 0 || PRIVATE.check(plain, family === 4 ? 'ipv4' : 'ipv6')) return null;
  return family === 4 ? plain : network64(plain);
}

function network64(ip: string): string {
  const [head = '', tail = ''] = (ip.split('%', 1)[0] ?? ip).toLowerCase().split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = ip.includes('::') ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left;
  return groups
    .slice(0, 4)
    .map((group: string) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
