import type { Redis } from 'ioredis';

/** CPU of a Redis so far, ms. */
export async function redisCpu(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const of = (what: string) => Number(new RegExp(`used_cpu_${what}:([\\d.]+)`).exec(info)![1]);
  return 1000 * (of('user') + of('sys'));
}
