import { createHash, randomBytes } from 'node:crypto';

/** The prefix lets people (and secret scanners) tell what a leaked key belongs to. */
const PREFIX = 'ap_';
const KEY = /^ap_[A-Za-z0-9_-]{43}$/;

/** A fresh API key: 256 random bits. It is shown once; only its hash is stored. */
export function newApiKey(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/**
 * The stored form of a key. A plain hash is enough for 256 random bits, and comparing hashes by index gives nothing
 * about a key away through timing. Null for a text that cannot be a key.
 */
export function keyHash(apiKey: string): Buffer | null {
  return KEY.test(apiKey) ? createHash('sha256').update(apiKey).digest() : null;
}
