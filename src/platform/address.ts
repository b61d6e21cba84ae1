import type { Config } from '../ops/settings.js';

/** Where the platform is reached. The port is known once it listens. */
export class Address {
  #port: number;

  constructor(private readonly config: Pick<Config, 'HOST' | 'PORT' | 'PUBLIC_URL'>) {
    this.#port = config.PORT;
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  /** As this machine reaches it. */
  get http(): string {
    const { HOST } = this.config;
    const everywhere = HOST === '0.0.0.0' || HOST === '::';
    const host = everywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
    return `http://${host}:${this.#port}`;
  }

  /** As bots of this machine reach it. */
  get ws(): string {
    return `${this.http.replace('http', 'ws')}/ws`;
  }

  /** As people reach it, without a slash at the end. */
  get public(): string {
    return this.config.PUBLIC_URL?.replace(/\/$/, '') ?? this.http;
  }
}
