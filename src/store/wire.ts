import { EventEmitter } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** Where a connection leads and how it begins, as postgres.js reads it from an address. */
export interface WireOptions {
  /** The path of a Unix socket, or a host with its port. */
  at: string | { host: string; port: number };
  ssl: 'require' | 'allow' | 'prefer' | 'verify-full' | boolean | object;
  sslnegotiation: string | null;
  /** Settings of the session, set once it is there: a pooler refuses most of them at the connect. */
  settings: Readonly<Record<string, string | number>>;
  /** A server that takes no writes will do. */
  standby: boolean;
}

/** Types of messages of the server (PostgreSQL's manual, "Message Formats"). */
const ERROR = 0x45;
const PARAMETER = 0x53;
const READY = 0x5a;
const HEAD = 5;

/** SQLSTATEs after which a connection is asked nothing any more: a read-only server, one that ends. */
const ENDING = /^(25006|57P0.)$/;
const READ_ONLY = new Set(['in_hot_standby', 'default_transaction_read_only']);
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * A connection to PostgreSQL as postgres.js wants its socket. It sets the session up before its first use. It ends once
 * the server takes no writes or announces its end: a new connection may find another server.
 */
export class DatabaseWire extends EventEmitter {
  readyState: 'opening' | 'open' | 'closed' = 'opening';
  #socket: Socket;
  #unsent: (string | Uint8Array)[] = [];
  /** `greeting`: until the session is there; `setting`: until its settings are. */
  #phase: 'greeting' | 'setting' | 'open' = 'greeting';
  /** The server's first word that it is ready, held back while settings are set. */
  #ready: Buffer = Buffer.alloc(0);
  /** The bytes of an incomplete message. */
  #rest: Buffer = Buffer.alloc(0);
  /** So many bytes to come belong to a message that tells nothing here. */
  #skip = 0;
  #ending = false;
  #keepAliveMs = 0;

  constructor(private readonly options: WireOptions) {
    super();
    const { at, ssl } = options;
    this.#socket = typeof at === 'string' ? connectSocket(at) : connectSocket(at.port, at.host);
    this.#hear(this.#socket);
    this.#socket.once('connect', () => (ssl ? this.#secure() : this.#opened()));
  }

  write(bytes: string | Uint8Array, then?: () => void): boolean {
    if (this.readyState === 'open') return this.#socket.write(bytes, then);
    this.#unsent.push(bytes);
    return true;
  }

  end(bytes: Uint8Array): void {
    this.#socket.end(bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  setKeepAlive(_on: boolean, ms: number): void {
    this.#keepAliveMs = ms;
    if (this.readyState === 'open') this.#socket.setKeepAlive(true, ms);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #hear(socket: Socket): void {
    socket.on('error', (error) => this.emit('error', error));
    socket.on('close', (hadError: boolean) => {
      this.readyState = 'closed';
      this.emit('close', hadError);
    });
  }

  #secure(): void {
    const { ssl, sslnegotiation, at } = this.options;
    const encrypt = () => {
      const socket = this.#socket.removeAllListeners();
      const name = typeof at === 'string' || isIP(at.host) !== 0 ? {} : { servername: at.host };
      const unproven = ssl === 'require' || ssl === 'allow' || ssl === 'prefer';
      const secure = connectTls({
        socket,
        ...name,
        ...(sslnegotiation === 'direct' && { ALPNProtocols: ['postgresql'] }),
        ...(unproven && { rejectUnauthorized: false }),
        ...(typeof ssl === 'object' && (ssl as ConnectionOptions)),
      });
      this.#socket = secure;
      this.#hear(secure);
      secure.once('secureConnect', () => this.#opened());
    };
    if (sslnegotiation === 'direct') return encrypt();
    this.#socket.write(SSL_REQUEST);
    this.#socket.once('data', ([answer]) => {
      const encrypts = answer === 'S'.charCodeAt(0);
      if (!encrypts && ssl === 'prefer') this.#opened();
      else encrypt();
    });
  }

  #opened(): void {
    this.readyState = 'open';
    if (this.#keepAliveMs > 0) this.#socket.setKeepAlive(true, this.#keepAliveMs);
    this.#socket.on('data', (bytes) => this.#read(bytes)).on('drain', () => this.emit('drain'));
    for (const bytes of this.#unsent.splice(0)) this.#socket.write(bytes);
  }

  #read(bytes: Buffer): void {
    if (this.#phase !== 'open') return this.#begin(bytes);
    const over = this.#scan(bytes);
    this.emit('data', bytes);
    if (over) this.#close();
  }

  /** Ends in this very turn, so that no statement is given to it any more. */
  #close(): void {
    this.#socket.removeAllListeners().on('error', () => undefined);
    this.#socket.destroy();
    this.readyState = 'closed';
    this.emit('close', false);
  }

  /** The first messages one by one. */
  #begin(bytes: Buffer): void {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (
      this.readyState === 'open' &&
      this.#phase !== 'open' &&
      rest.length >= HEAD &&
      rest.length > rest.readUInt32BE(1)
    ) {
      const end = 1 + rest.readUInt32BE(1);
      this.#message(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    this.#rest = Buffer.alloc(0);
    if (rest.length === 0) return;
    if (this.#phase === 'open') this.#read(rest);
    else this.#rest = rest;
  }

  #message(message: Buffer): void {
    const [type] = message;
    if (type === PARAMETER && this.#readOnly(message)) return this.#refuse();
    if (type === READY) return this.#phase === 'setting' ? this.#set() : this.#settle(message);
    const forOthers = this.#phase === 'greeting' || type === PARAMETER || type === ERROR;
    if (forOthers) this.emit('data', message);
    if (type === ERROR && this.#phase === 'setting') this.#close();
  }

  /** Sets the settings in one simple query. */
  #settle(ready: Buffer): void {
    const settings = Object.entries(this.options.settings);
    if (settings.length === 0) {
      this.#phase = 'open';
      return void this.emit('data', ready);
    }
    this.#ready = ready;
    this.#phase = 'setting';
    const words = settings.map(([name, value]) => `set ${name} = '${value}'`).join('; ');
    const query = Buffer.alloc(HEAD + Buffer.byteLength(words) + 1);
    query.write('Q');
    query.writeUInt32BE(query.length - 1, 1);
    query.write(words, HEAD);
    this.#socket.write(query);
  }

  #set(): void {
    this.#phase = 'open';
    this.emit('data', this.#ready);
  }

  /** As if the server had refused the connection. */
  #refuse(): void {
    const fields = ['SFATAL', 'VFATAL', 'C25006', 'Mthe server takes no writes: it is a standby, or read-only'];
    const body = Buffer.from(`${fields.join('\0')}\0\0`);
    const head = Buffer.alloc(HEAD);
    head.writeUInt8(ERROR);
    head.writeUInt32BE(4 + body.length, 1);
    this.emit('data', Buffer.concat([head, body]));
    this.#close();
  }

  /** Looks through the messages of a session; true where it is to end after these bytes. */
  #scan(bytes: Buffer): boolean {
    let over = false;
    let chunk = bytes;
    if (this.#rest.length > 0) {
      chunk = Buffer.concat([this.#rest, bytes]);
      this.#rest = Buffer.alloc(0);
    }
    let at = Math.min(this.#skip, chunk.length);
    this.#skip -= at;
    while (at < chunk.length) {
      const isHeadWhole = chunk.length - at >= HEAD;
      const type = chunk[at]!;
      const end = isHeadWhole ? at + 1 + chunk.readUInt32BE(at + 1) : Infinity;
      const tells = type === ERROR || type === PARAMETER;
      if (!isHeadWhole || (tells && end > chunk.length)) {
        this.#rest = chunk.subarray(at);
        break;
      }
      if (type === ERROR && ENDING.test(fieldOf(chunk.subarray(at + HEAD, end), 'C'))) this.#ending = true;
      if (type === PARAMETER && this.#readOnly(chunk.subarray(at, end))) this.#ending = true;
      if (type === READY && this.#ending) over = true;
      this.#skip = Math.max(0, end - chunk.length);
      at = end;
    }
    return over;
  }

  #readOnly(message: Buffer): boolean {
    if (this.options.standby) return false;
    const [name, value] = message.toString('utf8', HEAD, message.length - 1).split('\0');
    return READ_ONLY.has(name!) && value === 'on';
  }
}

/** A field of an error's body by its letter, or ''. */
function fieldOf(body: Buffer, letter: string): string {
  const field = body
    .toString('latin1')
    .split('\0')
    .find((each) => each.startsWith(letter));
  return field?.slice(1) ?? '';
}
