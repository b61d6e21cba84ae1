import { createHash, randomBytes } from 'node:crypto';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits as text, for links and sessions. Only its hash is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a secret; null for a text that cannot be one. */
export function secretHash(secret: string): Buffer | null {
  return SECRET.test(secret) ? createHash('sha256').update(secret).digest() : null;
}
